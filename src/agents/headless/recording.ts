import type { AgentEvent } from '../../api/agent-event.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { ByteTail } from '../../base/process/byte-tail.js';
import { type EvaluatedTurn, evaluateTurn } from '../evaluate-turn.js';
import { TurnFold } from '../events/turn-fold.js';
import { collectHeadlessFindings } from './headless-findings.js';
import { eventsOfJsonOutput, parseJsonOutput } from './json-output.js';
import { StreamReader } from './stream-reader.js';

/** Limit of the text: it becomes one JSON string with up to six characters for each, and V8 limits strings. */
const LONGEST_TEXT = 64 * 1024 * 1024;
/** Far more than any answer. The output of `-o json` must be held in memory as a whole. */
const LONGEST_JSON_BYTES = 64 * 1024 * 1024;
/** Length of the kept end of stderr, which has the reason of a failure. */
const LONGEST_STDERR_BYTES = 1024 * 1024;

/** Pieces of any size, as a file or a pipe delivers them. */
type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>;

/** Output and exit of a turn that another program ran. */
export interface Recording {
  /** Output of `-o stream-json` or of `-o json`. */
  readonly stdout: Pieces;
  readonly stderr: Pieces;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
}

export interface JudgedRecording extends EvaluatedTurn {
  /** Paths of successful `write_file` and `replace` calls, as the model wrote them. */
  readonly claimedPaths: readonly string[];
  readonly sessionId: string | undefined;
  readonly model: string | undefined;
}

/** Judges a recorded turn by the same rules as a live one. Throws INVALID_INPUT if its text is too long. */
export async function judgeRecording(recording: Recording): Promise<JudgedRecording> {
  const { exitCode, signal } = recording;
  // Read both at the same time: a program that writes both may block until one of them is read.
  const [{ reader, fold, claimed, unread }, stderr] = await Promise.all([
    readStdout(recording.stdout),
    readTail(recording.stderr),
  ]);
  const json = reader.wireEvents === 0 ? parseJsonOutput(unread, stderr) : undefined;
  for (const event of json === undefined ? [] : eventsOfJsonOutput(json)) fold.accept(event);
  const exit = { exitCode, signal, stderr };
  return {
    ...evaluateTurn({ findings: collectHeadlessFindings({ exit, reader, json, fold }), fold }),
    claimedPaths: [...claimed],
    sessionId: fold.sessionId,
    model: fold.model,
  };
}

interface ReadStdout {
  readonly reader: StreamReader;
  readonly fold: TurnFold;
  readonly claimed: ReadonlySet<string>;
  /** End of an output that is not a stream of events. */
  readonly unread: string;
}

async function readStdout(pieces: Pieces): Promise<ReadStdout> {
  const reader = new StreamReader();
  const fold = new TurnFold();
  const claimed = new Set<string>();
  const unread = new ByteTail(LONGEST_JSON_BYTES);
  let characters = 0;
  const accept = (events: readonly AgentEvent[]): void => {
    for (const event of events) {
      fold.accept(event);
      if (event.type === 'text-delta' || event.type === 'text') characters += event.text.length;
      if (characters > LONGEST_TEXT) throw tooMuchText();
      if (event.type === 'tool-completion' && event.derived?.mutation !== undefined) {
        claimed.add(event.derived.mutation.path);
      }
    }
  };
  for await (const piece of pieces) {
    accept(reader.push(piece));
    if (reader.wireEvents === 0) unread.push(piece);
    else unread.clear();
  }
  accept(reader.end());
  return { reader, fold, claimed, unread: unread.toString() };
}

function tooMuchText(): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `The recorded text has more than ${LONGEST_TEXT} characters`,
    hint: 'Pass the output of a single turn.',
  });
}

async function readTail(pieces: Pieces): Promise<string> {
  const tail = new ByteTail(LONGEST_STDERR_BYTES);
  for await (const piece of pieces) tail.push(piece);
  return tail.toString();
}
