import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useRemote } from './remote-context.js';

interface SlowButtonProps {
  readonly label: string;
  /** What the button says until the server has answered. */
  readonly busyLabel: string;
  readonly path: string;
  readonly isMain?: boolean | undefined;
}

/** Button for an action that may take a minute. A second tap meanwhile would start the action again. */
export function SlowButton({ label, busyLabel, path, isMain }: SlowButtonProps): JSX.Element {
  const { act } = useRemote();
  const [isSending, setSending] = useState(false);
  const send = async (): Promise<void> => {
    setSending(true);
    await act(path, {});
    setSending(false);
  };
  return (
    <button
      class={isMain === true ? 'is-main' : undefined}
      type="button"
      disabled={isSending}
      onClick={() => void send()}
    >
      {isSending ? busyLabel : label}
    </button>
  );
}
