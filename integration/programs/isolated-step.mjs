import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { runBatch } from 'gemini-cli-provider/batch';
import {
  changeFile,
  scriptedResult,
  UNUSED_METHODS,
} from '../../test/batch/run/scripted-result.mjs';

/** Runs one isolated step whose agent, inside of this process, writes files. Prints the report of the step. */
const [workingDir = '', isolation = '', out = '', given = '{}'] = process.argv.slice(2);
/** Content by path: null removes the file, a number is a size; a negative number is the size of random content. */
const files = /** @type {Record<string, string | number | null>} */ (JSON.parse(given));

/** @param {number} size */
function fill(size) {
  return size < 0 ? randomBytes(-size).toString('latin1') : 'x'.repeat(size);
}

/**
 * @param {string} folder
 * @param {string} path
 * @param {string | number | null} content
 */
function write(folder, path, content) {
  const text = typeof content === 'number' ? fill(content) : content;
  return changeFile(folder, path, text, (absolutePath) => {
    if (text === null) rmSync(absolutePath);
    else {
      mkdirSync(dirname(absolutePath), { recursive: true });
      writeFileSync(absolutePath, text);
    }
  });
}

const provider = {
  /** @param {string} _prompt @param {import('gemini-cli-provider').GenerateContext} context @param {{ workingDir: string }} options */
  async *stream(_prompt, context, options) {
    const changed = Object.entries(files).map(([path, content]) => {
      return write(options.workingDir, path, content);
    });
    const tokens = { total: 7, input: 5, output: 2, cached: 0, thoughts: 0, tool: 0 };
    const result = scriptedResult({ text: 'done', files: changed, tokens, context });
    yield { type: 'turn-complete', subtype: 'success', isError: false, result };
  },
  ...UNUSED_METHODS,
};

const plan = { defaults: { workingDir, isolation, retries: 0 }, steps: [{ id: 'x', prompt: 'x' }] };
// @ts-expect-error: the provider has only the members that a batch uses, and the plan is checked by the batch.
const report = await runBatch(plan, { out, provider, baseDir: workingDir });
process.stdout.write(JSON.stringify(report.steps[0]));
