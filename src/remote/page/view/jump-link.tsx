import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Parts of the screen that the bars of the page cover. */
const COVERED = '-120px 0px -80px 0px';

interface JumpLinkProps {
  /** Id of the row to which the link leads. */
  readonly rowId: string;
  /** True if the row is among those that are drawn. */
  readonly isDrawn: boolean;
  readonly onJump: (event: Event) => void;
  /** Called when the row comes on the screen, and when it leaves. */
  readonly onSeen: (isSeen: boolean) => void;
}

/** Link to the row that needs the person. It goes while the row is on the screen, because it would cover the buttons of the row. */
export function JumpLink({ rowId, isDrawn, onJump, onSeen }: JumpLinkProps): JSX.Element | null {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const tell = (isNowSeen: boolean): void => {
      setSeen(isNowSeen);
      onSeen(isNowSeen);
    };
    tell(false);
    const row = isDrawn ? document.getElementById(rowId) : null;
    if (row === null) return undefined;
    const observer = new IntersectionObserver(
      (changes) => tell(changes.at(-1)?.isIntersecting === true),
      { rootMargin: COVERED },
    );
    observer.observe(row);
    return () => {
      observer.disconnect();
      onSeen(false);
    };
  }, [rowId, isDrawn, onSeen]);
  if (isSeen) return null;
  return (
    <a class="button jump" href={`#${rowId}`} onClick={onJump}>
      ✋ Needs you
    </a>
  );
}
