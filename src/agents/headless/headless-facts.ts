import type { TurnExit } from '../verdict/verdict.js';
import type { WireResult } from './headless-wire.js';

/** What is known of a turn of the headless CLI from its process and its stdout. */
export interface HeadlessFacts extends TurnExit {
  /** The event that ends the stream. */
  readonly terminal?: WireResult | undefined;
  /** Lines on stdout that were events of the CLI. */
  readonly wireEvents: number;
  /** Lines that were something else: no JSON, or JSON of no type that is known. */
  readonly foreignLines: number;
  /** Whether stdout breaks off in the middle of a line. */
  readonly isTorn?: boolean | undefined;
}
