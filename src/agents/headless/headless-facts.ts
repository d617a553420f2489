import type { StatusRemark, ToolCall } from '../events/turn-fold.js';
import type { StepStopReason } from '../verdict/verdict.js';
import type { WireResult } from './headless-wire.js';

/** How the process ended, as far as anybody knows. */
export interface HeadlessExit {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  /** `ENOENT` and the like, where it never started. */
  readonly spawnErrno?: string | undefined;
  /** The last part of stderr. */
  readonly stderr: string;
  readonly ownEnd?: StepStopReason | undefined;
  /** We ended it after its result, because it did not go by itself: its exit code says nothing. */
  readonly endedAfterResult?: boolean | undefined;
}

/** Everything that is known of a run once it is over. */
export interface HeadlessFacts extends HeadlessExit {
  readonly terminal?: WireResult | undefined;
  readonly remarks: readonly StatusRemark[];
  readonly toolCalls: readonly ToolCall[];
  /** Lines on stdout that were events of the CLI. */
  readonly wireEvents: number;
  /** Lines that were something else: no JSON, or JSON of no type that is known. */
  readonly foreignLines: number;
  /** Whether stdout breaks off in the middle of a line. */
  readonly isTorn?: boolean | undefined;
  /** Whether the last thing on stdout, but for its result, was the end of a tool call. */
  readonly endsWithTool?: boolean | undefined;
  /** Size of what was sent, where we sent it and neither history nor files were added to it. */
  readonly promptBytes?: number | undefined;
  /** Whether there are hooks that could have stopped the run. */
  readonly hasHooks?: boolean | undefined;
  /** What the session file says of the last turn, where there is one. */
  readonly witness?: 'answered' | 'unanswered' | undefined;
}
