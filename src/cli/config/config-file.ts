import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ConfigProblem } from '../../api/error.js';
import { messageOf } from '../../base/errors/message-of.js';
import { isObject } from '../../base/json/is-object.js';
import { cleanName } from '../../base/text/clean-text.js';
import type { ParsedDocument } from '../../batch/plan/parse-document.js';
import { invalidConfig } from '../../config/config-problem.js';
import { nearestConfigKey } from '../../config/other-keys.js';
import { normaliseKeys } from '../../config/resolve-config.js';
import type { ConfigLayer, ValueOrigin } from './config-layer.js';
import { CONFIG_NAME, type FoundConfigFile } from './find-config-file.js';

/** Longest config file that is found by itself. */
const MOST_BYTES = 1024 * 1024;

export interface ConfigFile extends ConfigLayer {
  readonly path: string;
  /** Problems of keys: a key of another tool that must not be ignored, a key in both spellings. */
  readonly problems: readonly ConfigProblem[];
  /** Keys that no setting has, with file and line. */
  readonly unknown: readonly (ConfigProblem & ValueOrigin)[];
}

/** Reads a config file that the user has named. It may be a pipe. Throws INVALID_CONFIG. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  return parseConfigFile(path, () => readFileSync(path, 'utf8'));
}

/** Parses the text of a config file that was read elsewhere. `name` stands for the path in messages. */
export async function parseConfigText(name: string, text: string): Promise<ConfigFile> {
  return parseConfigFile(name, () => text);
}

/** Reads a config file that was found by itself: a regular file of limited size. Throws INVALID_CONFIG. */
export async function readFoundFile({
  path,
  root,
  isPackage,
}: FoundConfigFile): Promise<ConfigFile> {
  const { readTextFile } = await import('../../batch/plan/read-text-file.js');
  const read = readTextFile(path, MOST_BYTES);
  if ('problem' in read)
    throw invalidConfig([{ key: 'config', value: path, problem: read.problem }]);
  const file = await parseConfigFile(path, () => read.text, isPackage ? [CONFIG_NAME] : []);
  const { workingDir } = file.values;
  if (typeof workingDir !== 'string') return file;
  return { ...file, values: { ...file.values, workingDir: resolve(root, workingDir) } };
}

async function parseConfigFile(
  path: string,
  read: () => string,
  prefix: readonly string[] = [],
): Promise<ConfigFile> {
  const { document, fail } = await parseMapping(path, 'config', read);
  const content = prefix.reduce(
    (value: unknown, key) => (isObject(value) ? value[key] : undefined),
    document.content,
  );
  // A file without keys, with comments alone for example, sets nothing.
  if (content === undefined || content === null) return { ...EMPTY_FILE, path };
  if (!isObject(content)) throw fail('must be a mapping of keys to values');
  return { path, ...toLayer(path, content, document, prefix) };
}

/** Reads a YAML or JSON file that maps keys to values. `key` names the file in messages. Throws INVALID_CONFIG. */
export async function readMapping(path: string, key: string): Promise<Record<string, unknown>> {
  const { document, fail } = await parseMapping(path, key, () => readFileSync(path, 'utf8'));
  if (!isObject(document.content)) throw fail('must be a mapping of keys to values');
  return document.content;
}

async function parseMapping(path: string, key: string, read: () => string) {
  const fail = (problem: string) => invalidConfig([{ key, value: path, problem }]);
  const { parseDocument } = await import('../../batch/plan/parse-document.js');
  // Every JSON text is YAML too, so one parser reads both.
  const document = parseDocument(readOr(read, fail), 'yaml');
  const [fault] = document.faults;
  if (fault !== undefined) throw fail(['line', fault.line, ...fault.path, fault.problem].join(' '));
  return { document, fail };
}

const EMPTY_FILE = { values: {}, origins: new Map(), problems: [], unknown: [] } as const;

function toLayer(
  path: string,
  content: Readonly<Record<string, unknown>>,
  document: ParsedDocument,
  prefix: readonly string[],
) {
  const { values, givenKeys, unknownKeys, problems } = normaliseKeys(content);
  const locate = (name: string): ValueOrigin => {
    return { name, file: path, line: document.lineOf([...prefix, name]) };
  };
  return {
    values,
    origins: new Map([...givenKeys].map(([key, { spelling }]) => [key, locate(spelling)])),
    problems: problems.map((problem) => ({ ...locate(problem.key), ...problem })),
    unknown: unknownKeys.map((key) => {
      const nearest = nearestConfigKey(key);
      const suggestion = nearest === undefined ? '' : `. Did you mean "${nearest}"?`;
      const problem = `is an unknown key${suggestion}`;
      return { ...locate(cleanName(key)), key: cleanName(key), value: content[key], problem };
    }),
  };
}

function readOr(read: () => string, fail: (problem: string) => Error): string {
  try {
    return read();
  } catch (error) {
    throw fail(describeRead(error));
  }
}

function describeRead(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'EISDIR') return 'is a folder';
  if (code === 'EACCES') return 'may not be read by this user';
  return `cannot be read: ${messageOf(error)}`;
}
