import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GeminiCliProvider } from 'gemini-cli-provider';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { median, pairedRatio, timed } from './statistics.mjs';

const GEMINI = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'gemini');
const PROMPT = 'Write the file.';
const MODEL = 'gemini-2.5-flash';

/**
 * One step: two model calls and one written file. Against the CLI as one would start it by hand.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchColdStep(rounds) {
  const model = await startScriptedModel([
    { toolCalls: [{ name: 'write_file', args: { file_path: 'a.txt', content: 'hello\n' } }] },
    { text: 'Done.' },
  ]);
  const workspace = await mkdtemp(join(tmpdir(), 'bench-'));
  const provider = new GeminiCliProvider({
    model: MODEL,
    workingDir: workspace,
    env: model.env,
    trustWorkspace: true,
    cliPath: GEMINI,
  });
  const env = { ...process.env, ...model.env, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  /** @param {import('node:child_process').StdioOptions} stdio */
  const byHand = (stdio) => async () => {
    const args = ['-o', 'stream-json', '-m', MODEL, '--approval-mode', 'auto_edit', '-p', PROMPT];
    const child = spawn(GEMINI, args, { cwd: workspace, env, stdio });
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr?.resume();
    await once(child, 'close');
    const events = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    if (events.at(-1)?.type !== 'result') throw new Error('no result');
  };
  const ours = async () => {
    const { files } = await provider.generate(PROMPT);
    if (files.length !== 1) throw new Error('no file');
  };
  /** @type {Record<'plain' | 'spawned' | 'provider', number[]>} */
  const times = { plain: [], spawned: [], provider: [] };
  try {
    await ours();
    for (let round = 0; round < rounds; round++) {
      times.plain.push(await timed(byHand(['ignore', 'pipe', 'pipe'])));
      times.provider.push(await timed(ours));
      times.spawned.push(await timed(byHand('pipe')));
    }
  } finally {
    await provider.dispose();
    await model.close();
    await rm(workspace, { recursive: true, force: true });
  }
  const detail = `plain ${median(times.plain).toFixed(0)} ms, spawn ${median(times.spawned).toFixed(0)} ms, provider ${median(times.provider).toFixed(0)} ms`;
  return [
    {
      name: 'cold step, faster than plain gemini',
      value: pairedRatio(times.plain, times.provider),
      unit: 'x',
      atLeast: 1.3,
      detail,
    },
    {
      name: 'cold step, faster than a hand-written spawn',
      value: pairedRatio(times.spawned, times.provider),
      unit: 'x',
      atLeast: 1.6,
      detail,
    },
  ];
}
