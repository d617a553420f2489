import type { AgentEvent } from '../../api/agent-event.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { ByteTail } from '../../base/process/byte-tail.js';
import { type EvaluatedTurn, evaluateTurn } from '../evaluate-turn.js';
import { TurnFold } from '../events/turn-fold.js';
import { collectHeadlessFindings } from './headless-findings.js';
import { eventsOfJsonOutput, parseJsonOutput } from './json-output.js';
import { StreamReader } from './stream-reader.js';

/** A verdict is one string in the end, and each character may take six in JSON: more than V8 can hold. */
const LONGEST_TEXT = 64 * 1024 * 1024;
/** Far more than any answer; `-o json` has to be held as a whole. */
const LONGEST_JSON_BYTES = 64 * 1024 * 1024;
/** What the CLI has to say of its end comes last. */
const LONGEST_STDERR_BYTES = 1024 * 1024;

/** In whatever pieces, as a file or a pipe gives them. */
type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>;

/** What is left of a run that somebody else drove. */
export interface Recording {
  /** Of `-o stream-json`, or of `-o json`. */
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

/** Judges a recorded turn by the same rules as a live one. Throws INVALID_INPUT where its text is too long to show. */
export async function judgeRecording(recording: Recording): Promise<JudgedRecording> {
  const { exitCode, signal } = recording;
  // At the same time: a program that writes both may wait until we read one before it goes on with the other.
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
  /** The end of what is no stream of events. */
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
    hint: 'Is it the output of one run? Give the part that belongs to it.',
  });
}

async function readTail(pieces: Pieces): Promise<string> {
  const tail = new ByteTail(LONGEST_STDERR_BYTES);
  for await (const piece of pieces) tail.push(piece);
  return tail.toString();
}
