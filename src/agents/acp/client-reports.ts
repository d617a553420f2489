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

/**
 * Finds the report files of a failed turn. The CLI writes the whole conversation to a file in the temp folder when a
 * request fails. Over ACP it does not name the file, so the file is recognised by its content: another CLI on this
 * machine may write a report at the same time.
 */
export async function findClientReports(turn: FailedTurn): Promise<string[]> {
  const folder = turn.env['TMPDIR'] || turn.env['TMP'] || turn.env['TEMP'] || tmpdir();
  const names = await readdir(folder).catch(() => []);
  const found: string[] = [];
  for (const name of names.filter((each) => REPORT.test(each))) {
    const file = join(folder, name);
    if (await isReportOf(file, turn)) found.push(file);
  }
  return found;
}

async function isReportOf(file: string, { prompt, cwd, startedAt }: FailedTurn): Promise<boolean> {
  try {
    const { mtimeMs, size } = await stat(file);
    if (mtimeMs < startedAt.getTime() - CLOCK_DIFFERENCE_MS || size > MAX_REPORT_BYTES)
      return false;
    const texts = readTexts(JSON.parse(await readFile(file, 'utf8')));
    return texts.includes(prompt) && texts.some((text) => text.includes(cwd));
  } catch {
    return false;
  }
}

/** Returns all texts of the conversation. The first text names the workspace. */
function readTexts(report: unknown): string[] {
  const contents = isObject(report) ? toList(report['context']) : [];
  const parts = contents.flatMap((content) => (isObject(content) ? toList(content['parts']) : []));
  return parts.flatMap((part) => {
    return isObject(part) && typeof part['text'] === 'string' ? [part['text']] : [];
  });
}
