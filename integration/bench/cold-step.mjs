import { GeminiCliProvider } from 'gemini-cli-provider';
import { assertWritten, openBenchLab, PROMPT } from './lab.mjs';
import { median, pairedRatio, timed } from './statistics.mjs';

/**
 * Measures one step in a new process against plain gemini and against a hand-written spawn.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchColdStep(rounds) {
  const lab = await openBenchLab();
  const provider = new GeminiCliProvider(lab.config);
  const ours = async () => assertWritten(await provider.generate(PROMPT));
  /** @type {Record<'plain' | 'spawned' | 'provider', number[]>} */
  const times = { plain: [], spawned: [], provider: [] };
  try {
    await ours();
    for (let round = 0; round < rounds; round++) {
      times.plain.push(await timed(() => lab.runPlain()));
      times.provider.push(await timed(ours));
      times.spawned.push(await timed(() => lab.runPlain('pipe')));
    }
  } finally {
    await provider.dispose();
    await lab.close();
  }
  const detail = `plain ${median(times.plain).toFixed(0)} ms, spawn ${median(times.spawned).toFixed(0)} ms, provider ${median(times.provider).toFixed(0)} ms`;
  return [
    {
      name: 'cold step: speed against plain gemini',
      value: pairedRatio(times.plain, times.provider),
      unit: 'x',
      atLeast: 1.3,
      detail,
    },
    {
      name: 'cold step: speed against a hand-written spawn',
      value: pairedRatio(times.spawned, times.provider),
      unit: 'x',
      atLeast: 1.6,
      detail,
    },
  ];
}
