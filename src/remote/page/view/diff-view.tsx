import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { languageOf } from '../../../web/model/language-of.js';
import { parseDiff } from '../../../web/model/parse-diff.js';
import { revealControls } from '../../../web/reveal-controls.js';
import { diffTable } from '../../../web/view/diff-table.js';

/** Shows a diff with the table of the web kit. */
export function DiffView({
  diff,
  path,
}: {
  readonly diff: string;
  readonly path: string;
}): JSX.Element {
  const hunks = useMemo(() => parseDiff(diff), [diff]);
  const holder = useRef<HTMLDivElement>(null);
  // The page follows its end by the height of the rows, so the table must be there when they are measured.
  useLayoutEffect(() => {
    holder.current?.replaceChildren(diffTable(hunks, languageOf(path)));
  }, [hunks, path]);
  if (hunks.length === 0) return <pre class="text">{revealControls(diff)}</pre>;
  return (
    <div
      role="group"
      class="diff-holder"
      ref={holder}
      aria-label={`Change of ${path}`}
      tabIndex={0}
    />
  );
}
