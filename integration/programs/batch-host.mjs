import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBatch } from 'gemini-cli-provider/batch';

/** Runs a plan with an agent that lives in this process: it takes its time, and writes what the prompt says. */
const [plan = '', out = '', slowness = '0'] = process.argv.slice(2);

/** @param {string} file */
function hashOf(file) {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return undefined;
  }
}

/**
 * `name+` adds to a file: not the same when it is done twice.
 * @param {string} workingDir
 * @param {string} name
 * @param {string} content
 */
function write(workingDir, name, content) {
  const path = name.replace(/\+$/, '');
  const absolutePath = join(workingDir, path);
  const sha256Before = hashOf(absolutePath);
  writeFileSync(absolutePath, content, { flag: name === path ? 'w' : 'a' });
  const sha256After = hashOf(absolutePath);
  const kind = sha256Before === sha256After ? 'unchanged' : 'modified';
  return {
    path,
    absolutePath,
    kind: sha256Before === undefined ? 'created' : kind,
    tools: ['write_file'],
    toolIds: [],
    bytes: content.length,
    ...(sha256Before === undefined ? {} : { sha256Before }),
    sha256After,
    confirmed: true,
    outsideWorkspace: false,
  };
}

const pause = () => sleep(Math.random() * Number(slowness));

const provider = {
  /** @param {string} prompt @param {object} context @param {{ workingDir: string }} options */
  async *stream(prompt, context, { workingDir }) {
    await pause();
    const files = [];
    // Halfway through, like an agent that is killed between two of its tools.
    for (const [, path = '', content = ''] of prompt.matchAll(/(\S+)=(\S+)/g)) {
      files.push(write(workingDir, path, `${content}\n`));
      await pause();
    }
    const counts = { total: 7, input: 5, output: 2, cached: 0 };
    const result = {
      text: `said ${prompt.length}`,
      files,
      deniedTools: [],
      warnings: [],
      usage: { ...counts, models: { scripted: counts }, toolCalls: files.length },
      sessionId: 'session',
      model: 'scripted',
      durationMs: 1,
      transport: 'acp',
      recovered: false,
      repairs: 0,
      filesWritten: {},
      context,
    };
    yield { type: 'turn-complete', subtype: 'success', isError: false, result };
  },
  validate: async () => {
    throw new Error('not needed here');
  },
  generate: async () => {
    throw new Error('not needed here');
  },
  dispose: async () => {},
};

process.stdout.write('ready\n');
// Loading takes longer than what comes then, and is of no interest.
await once(process.stdin, 'data');
process.stdin.destroy();
// @ts-expect-error: only what a batch asks of a provider is there.
const { outcome } = await runBatch(plan, { out, provider, concurrency: 3 });
process.stdout.write(`${outcome}\n`);
