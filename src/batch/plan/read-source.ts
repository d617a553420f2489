import { extname } from 'node:path';
import type { PlanProblem } from '../../api/plan-problem.js';
import { readJsonLines } from './json-lines.js';
import { type DocumentFault, type ParsedDocument, parseDocument } from './parse-document.js';
import { parseJson } from './parse-json.js';
import { type PlanSource, renderPath } from './plan-source.js';
import { invalidPlan } from './problem-list.js';
import { readTextFile } from './read-text-file.js';

/** Longest plan file in bytes: about half of the longest string of V8. */
const MOST_BYTES = 256 * 1024 * 1024;
const FORMATS = '.yaml, .yml, .json, .jsonl or .ndjson';

export interface FileSource extends PlanSource {
  readonly file: string;
  /** Faults in a readable document: keys that are given twice, aliases of unknown anchors. */
  readonly faults: readonly DocumentFault[];
}

/** Reads a plan file, or a plan whose text is given with its name. Throws INVALID_CONFIG if the file cannot be read, has syntax errors or is empty. */
export function readSource(file: string, text?: string): FileSource {
  const fail = (problem: string, line?: number) =>
    invalidPlan([{ key: 'plan', value: file, problem, file, ...(line && { line }) }], file);
  const parse = PARSERS[extname(file).toLowerCase()];
  if (parse === undefined) throw fail(`must end in ${FORMATS}`);
  const read = text === undefined ? readTextFile(file, MOST_BYTES) : { text };
  if ('problem' in read) throw fail(read.problem);
  const parsed = parse(read.text);
  if (Array.isArray(parsed.content)) return { file, ...asSteps(parsed) };
  if (parsed.content !== undefined && parsed.content !== null) return { file, ...parsed };
  if (parsed.faults.length === 0) throw fail('is empty', 1);
  throw invalidPlan(
    parsed.faults.map((fault) => toFileProblem(fault, file)),
    file,
  );
}

/** Wraps a document that is a list: the list holds the steps of the plan. */
function asSteps({ content, faults, lineOf }: ParsedDocument): ParsedDocument {
  return {
    content: { steps: content },
    faults: faults.map((fault) => ({ ...fault, path: ['steps', ...fault.path] })),
    lineOf: ([first, ...path]) => lineOf(first === 'steps' ? path : []),
  };
}

function toFileProblem({ path, line, problem }: DocumentFault, file: string): PlanProblem {
  return { key: renderPath(path) || 'plan', value: `line ${line}`, problem, file, line };
}

const parseYaml = (text: string): ParsedDocument => parseDocument(text, 'yaml');

const PARSERS: Readonly<Record<string, typeof parseJson>> = {
  '.yaml': parseYaml,
  '.yml': parseYaml,
  '.json': parseJson,
  '.jsonl': readJsonLines,
  '.ndjson': readJsonLines,
};
