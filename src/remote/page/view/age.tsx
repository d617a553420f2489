import type { JSX } from 'preact';
import { formatTime } from '../../../web/model/format.js';
import { formatAge } from '../model/relative-time.js';
import { useRemote } from './remote-context.js';

interface AgeProps {
  /** Time, ISO 8601. */
  readonly at: string;
  /**
   * What happened at this time.
   *
   * @defaultValue none: the age alone
   */
  readonly what?: string | undefined;
}

/** Says how long ago something was, by the clock of the server. */
export function Age({ at, what }: AgeProps): JSX.Element | null {
  const { nowMs } = useRemote();
  const words = nowMs === undefined ? '' : formatAge(at, nowMs);
  if (words === '') return null;
  return (
    <time dateTime={at} title={formatTime(at)} aria-live="off">
      {what === undefined ? words : `${what} ${words}`}
    </time>
  );
}
