import { extname, resolve } from 'node:path';
import type { AnswerSchema } from '../../api/expectations.js';
import { isPlainObject } from '../../base/json/is-plain-object.js';
import { parseDocument } from './parse-document.js';
import { parseJson } from './parse-json.js';
import { readTextFile } from './read-text-file.js';

const MOST_BYTES = 16 * 1024 * 1024;

/** Returns the JSON Schema in a file, or the problem of the file. */
export type ReadSchema = (
  file: string,
) => { readonly schema: AnswerSchema } | { readonly problem: string };

/** Creates a reader of schema files. Each file is read once. */
export function createSchemaReader(baseDir: string): ReadSchema {
  const known = new Map<string, ReturnType<ReadSchema>>();
  return (file) => {
    const path = resolve(baseDir, file);
    const result = known.get(path) ?? readSchemaFile(path);
    known.set(path, result);
    return result;
  };
}

function readSchemaFile(path: string): ReturnType<ReadSchema> {
  const read = readTextFile(path, MOST_BYTES);
  if ('problem' in read) return read;
  const isYaml = /^\.ya?ml$/i.test(extname(path));
  const { content, faults } = isYaml ? parseDocument(read.text, 'yaml') : parseJson(read.text);
  const [fault] = faults;
  if (fault !== undefined) return { problem: `${fault.problem} (line ${fault.line} of the file)` };
  return isPlainObject(content)
    ? { schema: { ...content } }
    : { problem: 'does not contain a JSON Schema' };
}
