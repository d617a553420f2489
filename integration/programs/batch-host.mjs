import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBatch } from 'gemini-cli-provider/batch';
import {
  changeFile,
  scriptedResult,
  UNUSED_METHODS,
} from '../../test/batch/run/scripted-result.mjs';

/** Runs a plan with an agent inside of this process, which pauses at random and writes the files in the prompt. */
const [plan = '', out = '', slowness = '0'] = process.argv.slice(2);

/**
 * Writes a file. A name that ends in `+` appends to the file, so that a repeated step is noticed.
 * @param {string} workingDir
 * @param {string} name
 * @param {string} content
 */
function write(workingDir, name, content) {
  const path = name.replace(/\+$/, '');
  return changeFile(workingDir, path, content, (absolutePath) => {
    writeFileSync(absolutePath, content, { flag: name === path ? 'w' : 'a' });
  });
}

const pause = () => sleep(Math.random() * Number(slowness));

const provider = {
  /** @param {string} prompt @param {import('gemini-cli-provider').GenerateContext} context @param {{ workingDir: string }} options */
  async *stream(prompt, context, { workingDir }) {
    await pause();
    // A slow step ends only in a batch that is not killed.
    if (prompt.startsWith('SLOW')) await sleep(3 * Number(slowness));
    const files = [];
    // The pauses allow a kill between two files, as between two tool calls of an agent.
    for (const [, path = '', content = ''] of prompt.matchAll(/(\S+)=(\S+)/g)) {
      files.push(write(workingDir, path, `${content}\n`));
      await pause();
    }
    const tokens = { total: 7, input: 5, output: 2, cached: 0, thoughts: 0, tool: 0 };
    const result = scriptedResult({ text: `said ${prompt.length}`, files, tokens, context });
    yield { type: 'turn-complete', subtype: 'success', isError: false, result };
  },
  ...UNUSED_METHODS,
};

process.stdout.write('ready\n');
// The test starts the batch now: loading the modules takes longer than the batch and is not to be killed.
await once(process.stdin, 'data');
process.stdin.destroy();
// @ts-expect-error: the provider has only the members that a batch uses.
const { outcome } = await runBatch(plan, { out, provider, concurrency: 3 });
process.stdout.write(`${outcome}\n`);
