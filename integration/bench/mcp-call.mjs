import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { GeminiCliProvider } from 'gemini-cli-provider';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { memoryOf } from './consumption.mjs';
import { GEMINI, MODEL } from './lab.mjs';
import { median, timed } from './statistics.mjs';

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.js');
const QUESTION = 'What is it?';
/** Calls in which the memory of the server must not grow, and calls of one sample. */
const CALLS = 200;
const SAMPLE = 50;
const PAIRS_PER_ROUND = 5;

/**
 * Measures `gemini_ask` of the MCP server against the same step on a provider in this process, both warm, and the memory of
 * the server over 200 calls.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchMcpCall(rounds) {
  const model = await startScriptedModel([{ text: 'Nothing.' }]);
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const state = await mkdtemp(join(tmpdir(), 'bench-'));
  const provider = new GeminiCliProvider({
    model: MODEL,
    workingDir: folder,
    env: model.env,
    trustWorkspace: true,
    cliPath: GEMINI,
    transport: 'acp',
    approvalMode: 'plan',
  });
  const env = Object.entries(model.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const flags = ['--root', folder, '--state', state, '--model', MODEL, '--trust-workspace'];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', ...flags, '--cli-path', GEMINI, ...env],
    stderr: 'ignore',
  });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  const ask = async () => {
    const call = { name: 'gemini_ask', arguments: { prompt: QUESTION } };
    const { isError, structuredContent } = await client.callTool(call);
    if (isError === true) throw new Error(JSON.stringify(structuredContent));
  };
  const direct = () => provider.generate(QUESTION);
  /** @type {number[]} */
  const differences = [];
  /** @type {number[]} */
  const memory = [];
  try {
    for (const run of [ask, direct, ask, direct]) await run();
    for (let pair = 0; pair < rounds * PAIRS_PER_ROUND; pair++) {
      differences.push((await timed(ask)) - (await timed(direct)));
    }
    for (let call = 0; call < CALLS; call++) {
      await ask();
      memory.push(memoryOf(transport.pid ?? 0));
    }
  } finally {
    await client.close();
    await provider.dispose();
    await model.close();
    for (const path of [folder, state]) await rm(path, { recursive: true, force: true });
  }
  const [early, late] = [memory.slice(SAMPLE, 2 * SAMPLE), memory.slice(-SAMPLE)].map(median);
  return [
    {
      name: 'gemini_ask of the MCP server: time beyond the same step called directly',
      value: median(differences),
      unit: 'ms',
      atMost: 30,
      detail: `${differences.length} pairs`,
    },
    {
      name: 'memory of the MCP server: the last 50 of 200 calls against the second 50',
      value: (late ?? 0) / (early ?? 1),
      unit: 'x',
      atMost: 1.25,
      detail: `${(early ?? 0).toFixed(0)} MB, then ${(late ?? 0).toFixed(0)} MB`,
    },
  ];
}
