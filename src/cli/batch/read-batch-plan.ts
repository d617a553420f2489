import { basename, extname } from 'node:path';
import type { ExpandedPlan } from '../../api/batch-plan.js';
import type { ReadPlanOptions } from '../../batch/plan/read-plan.js';
import { readStdin, STDIN_NAME, type Stdin, type StdinRequest } from '../read-stdin.js';

const STDIN_PLAN = 'stdin';
const MOST_PLAN_BYTES = 256 * 1024 * 1024;

/** Returns the folder for the results of a plan: the name of the plan, ending in `.batch`. */
export function defaultOut(file: string): string {
  return `${file === STDIN_NAME ? STDIN_PLAN : basename(file, extname(file))}.batch`;
}

/** Reads the plan of `batch`: a file, or `-` for stdin. Paths in a plan on stdin are relative to the current folder. */
export async function readBatchPlan(
  file: string,
  options: ReadPlanOptions,
  say: StdinRequest['say'],
  stdin: Stdin = process.stdin,
): Promise<ExpandedPlan> {
  const { readPlan } = await import('../../batch/plan/read-plan.js');
  if (file !== STDIN_NAME) return readPlan(file, options);
  const text = await readStdin(stdin, {
    say,
    // Ctrl-C ends the process while the plan is read.
    signal: new AbortController().signal,
    what: 'the plan',
    mostBytes: MOST_PLAN_BYTES,
  });
  const name = `${STDIN_PLAN}${isJsonLines(text) ? '.jsonl' : '.yaml'}`;
  const { file: _, ...plan } = await readPlan(name, { ...options, text, baseDir: '.' });
  return plan;
}

/** True if each line is an object of its own. Every other JSON text is YAML, too. */
function isJsonLines(text: string): boolean {
  const [first = '', second] = text.split('\n').filter((line) => line.trim() !== '');
  const isObjectLine = (line: string) => /^\s*\{.*\}\s*$/.test(line);
  return isObjectLine(first) && (second === undefined || isObjectLine(second));
}
