import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GeminiCliProvider } from 'gemini-cli-provider';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { GEMINI, MODEL } from './lab.mjs';
import { median } from './statistics.mjs';

const DELTAS = 50;

/**
 * Measures the time from the moment the CLI writes a delta to the moment a listener receives the delta.
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchLatency() {
  const text = Array.from({ length: DELTAS }, (_, n) => `delta ${n} `);
  const model = await startScriptedModel([{ text, chunkDelayMs: 37 }]);
  const workspace = await mkdtemp(join(tmpdir(), 'bench-'));
  const provider = new GeminiCliProvider({
    model: MODEL,
    workingDir: workspace,
    env: model.env,
    trustWorkspace: true,
    cliPath: GEMINI,
  });
  /** @type {number[]} */
  const delays = [];
  try {
    for await (const event of provider.stream('go')) {
      if (event.type === 'text-delta') delays.push(Date.now() - Date.parse(event.timestamp ?? ''));
    }
  } finally {
    await provider.dispose();
    await model.close();
    await rm(workspace, { recursive: true, force: true });
  }
  const ninetieth =
    [...delays].sort((a, b) => a - b)[Math.floor(delays.length * 0.9)] ?? Number.NaN;
  return [
    {
      name: 'delay of a delta from the CLI to the listener',
      value: median(delays),
      unit: 'ms',
      atMost: 100,
      detail: `90 % within ${ninetieth} ms`,
    },
  ];
}
