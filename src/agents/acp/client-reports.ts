import { readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '../../base/json/is-object.js';
import { toList } from './acp-wire.js';

const REPORT = /^gemini-client-error-.*\.json$/;
const MAX_REPORT_BYTES = 256 * 1024 * 1024;
/** Tolerance for the modification time: clocks of file systems are coarser than the clock of Node. */
const CLOCK_DIFFERENCE_MS = 2_000;

/** Turn that failed with an error response. */
export interface FailedTurn {
  readonly prompt: string;
  readonly cwd: string;
  readonly startedAt: Date;
  /** Environment of the agent. */
  readonly env: Readonly<Record<string, string>>;
}

/** Report file of a failed turn. */
export interface ClientReport {
  readonly path: string;
  /** Class of the error, such as `ModelNotFoundError`. The error response over ACP does not have it. */
  readonly errorType: string | undefined;
}

/**
 * Finds the report files of a failed turn. The CLI writes the whole conversation to a file in the temp folder when a
 * request fails. Over ACP it does not name the file, so the file is recognised by its content: another CLI on this
 * machine may write a report at the same time.
 */
export async function findClientReports(turn: FailedTurn): Promise<ClientReport[]> {
  const folder = turn.env['TMPDIR'] || turn.env['TMP'] || turn.env['TEMP'] || tmpdir();
  const names = await readdir(folder).catch(() => []);
  const found: ClientReport[] = [];
  for (const name of names.filter((each) => REPORT.test(each))) {
    const report = await readReport(join(folder, name), turn);
    if (report !== undefined) found.push(report);
  }
  return found;
}

/** Reads a report. Returns undefined for the report of another turn, and for a file that cannot be read. */
async function readReport(
  path: string,
  { prompt, cwd, startedAt }: FailedTurn,
): Promise<ClientReport | undefined> {
  try {
    const { mtimeMs, size } = await stat(path);
    if (mtimeMs < startedAt.getTime() - CLOCK_DIFFERENCE_MS || size > MAX_REPORT_BYTES)
      return undefined;
    const report: unknown = JSON.parse(await readFile(path, 'utf8'));
    const texts = readTexts(report);
    const isOurs = texts.includes(prompt) && texts.some((text) => text.includes(cwd));
    return isOurs ? { path, errorType: readErrorType(report) } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the class of the error: the first word of its stack. */
function readErrorType(report: unknown): string | undefined {
  const error = isObject(report) ? report['error'] : undefined;
  const stack = isObject(error) ? error['stack'] : undefined;
  return typeof stack === 'string' ? /^\w+(?=:)/.exec(stack)?.[0] : undefined;
}

/** Returns all texts of the conversation. The first text names the workspace. */
function readTexts(report: unknown): string[] {
  const contents = isObject(report) ? toList(report['context']) : [];
  const parts = contents.flatMap((content) => (isObject(content) ? toList(content['parts']) : []));
  return parts.flatMap((part) => {
    return isObject(part) && typeof part['text'] === 'string' ? [part['text']] : [];
  });
}
