import type { TurnExit } from '../verdict/verdict.js';
import type { WireResult } from './headless-wire.js';

/** Facts about a turn of the headless CLI, from its process and its stdout. */
export interface HeadlessFacts extends TurnExit {
  /** Event `result`, which ends the stream. */
  readonly terminal?: WireResult | undefined;
  /** Number of lines on stdout that were events of the CLI. */
  readonly wireEvents: number;
  /** Number of other lines on stdout: not JSON, or JSON of an unknown type. */
  readonly foreignLines: number;
  /** True if stdout ends in the middle of a line. */
  readonly isTorn?: boolean | undefined;
}
