/** Results of an agent inside of this process. Plain JavaScript, so that integration/programs can use them, too. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the SHA-256 of a file, undefined if there is no file.
 * @param {string} file
 */
export function hashOf(file) {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return undefined;
  }
}

/**
 * Changes a file. Returns its entry in the manifest.
 * @param {string} workingDir
 * @param {string} path
 * @param {string | null} content new content of the file, null if it is removed
 * @param {(absolutePath: string) => void} act changes the file
 * @returns {import('../../../src/api/manifest.js').ManifestFile}
 */
export function changeFile(workingDir, path, content, act) {
  const absolutePath = join(workingDir, path);
  const sha256Before = hashOf(absolutePath);
  act(absolutePath);
  const sha256After = hashOf(absolutePath);
  return {
    path,
    absolutePath,
    kind: kindOf(sha256Before, sha256After),
    tools: ['write_file'],
    toolIds: [],
    bytes: content?.length ?? 0,
    sha256Before,
    sha256After,
    confirmed: true,
    outsideWorkspace: false,
  };
}

/**
 * @param {string | undefined} before
 * @param {string | undefined} after
 */
function kindOf(before, after) {
  if (after === undefined) return 'deleted';
  if (before === undefined) return 'created';
  return before === after ? 'unchanged' : 'modified';
}

/**
 * Returns the result of a step without its generation id.
 * @param {object} step
 * @param {string} step.text
 * @param {readonly import('../../../src/api/manifest.js').ManifestFile[]} step.files
 * @param {{ total: number, input: number, output: number, cached: number, thoughts: number, tool: number }} step.tokens
 * @param {import('../../../src/api/response-provider.js').GenerateContext} step.context
 * @returns {Omit<import('../../../src/api/result.js').GenerateResult, 'generationId'>}
 */
export function scriptedResult({ text, files, tokens, context }) {
  return {
    text,
    files,
    deniedTools: [],
    warnings: [],
    usage: { ...tokens, models: { scripted: tokens }, toolCalls: files.length },
    sessionId: 'session',
    model: 'scripted',
    durationMs: 1,
    transport: 'acp',
    cliVersion: undefined,
    recovered: false,
    repairs: 0,
    filesWritten: {},
    context,
  };
}

const notCalled = async () => {
  throw new Error('A batch does not call this method');
};

/** Methods of a provider that a batch does not call, and one that has nothing to do. */
export const UNUSED_METHODS = { validate: notCalled, generate: notCalled, dispose: async () => {} };
