import { stripVTControlCharacters } from 'node:util';
import type { HeadlessFindings } from '../driver.js';
import type { TurnFold } from '../events/turn-fold.js';
import type { TurnExit } from '../verdict/verdict.js';
import { describeHeadlessTurn } from './describe-headless-turn.js';
import type { HeadlessFacts } from './headless-facts.js';
import type { JsonOutput } from './json-output.js';
import { mapUsage } from './map-event.js';
import type { StreamReader } from './stream-reader.js';

export interface HeadlessTurn {
  readonly exit: TurnExit;
  /** Reader that has consumed the output of `-o stream-json`. */
  readonly reader: StreamReader;
  /** Parsed output of `-o json`; undefined for a stream. */
  readonly json: JsonOutput | undefined;
  readonly fold: Pick<TurnFold, 'remarks'>;
}

/** Builds the facts for the verdict. Live turns and `explain` share this function, so both get the same verdict. */
export function collectHeadlessFindings({
  exit,
  reader,
  json,
  fold,
}: HeadlessTurn): HeadlessFindings {
  const facts: HeadlessFacts = {
    ...exit,
    stderr: stripVTControlCharacters(exit.stderr),
    ...(json === undefined
      ? {
          terminal: reader.terminal,
          wireEvents: reader.wireEvents,
          foreignLines: reader.foreignLines,
          isTorn: reader.isTorn,
        }
      : { terminal: json.terminal, wireEvents: 1, foreignLines: 0 }),
  };
  const usage = facts.terminal?.stats ? mapUsage(facts.terminal.stats) : undefined;
  // The lines of `-o json` are one document: a stream reader counts all of them as noise.
  const noise = json === undefined ? reader.noise : undefined;
  return {
    transport: 'headless',
    facts,
    usage,
    isUsageComplete: usage !== undefined && usage.total > 0,
    warnings: describeHeadlessTurn({ ...exit, noise, remarks: fold.remarks }),
  };
}
