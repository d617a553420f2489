import { setTimeout as delay } from 'node:timers/promises';
import { GeminiCliProvider } from 'gemini-cli-provider';
import { assertWritten, openBenchLab, PROMPT } from './lab.mjs';
import { median, pairedRatio, timed } from './statistics.mjs';

/** Pause before a step in which the pool creates the next session. */
const SPARE_MS = 500;

/**
 * Measures one step on a warm process, with and without a session created ahead, against plain gemini.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchWarmStep(rounds) {
  const lab = await openBenchLab();
  const open = (/** @type {number} */ spareSessions) =>
    new GeminiCliProvider({ ...lab.config, transport: 'acp', pool: { spareSessions } });
  const [fresh, ahead] = [open(0), open(1)];
  const run = (/** @type {GeminiCliProvider} */ provider) => async () => {
    assertWritten(await provider.generate(PROMPT));
  };
  /** @type {Record<'plain' | 'fresh' | 'ahead', number[]>} */
  const times = { plain: [], fresh: [], ahead: [] };
  try {
    // The pool creates sessions ahead only for a folder that a step has used.
    for (const provider of [fresh, ahead, ahead]) await run(provider)();
    for (let round = 0; round < rounds; round++) {
      await delay(SPARE_MS);
      times.ahead.push(await timed(run(ahead)));
      await delay(SPARE_MS);
      times.fresh.push(await timed(run(fresh)));
      times.plain.push(await timed(() => lab.runPlain()));
    }
  } finally {
    await Promise.all([fresh.dispose(), ahead.dispose()]);
    await lab.close();
  }
  const detail = `plain ${median(times.plain).toFixed(0)} ms, new session ${median(times.fresh).toFixed(0)} ms, session created ahead ${median(times.ahead).toFixed(0)} ms`;
  return [
    {
      name: 'warm step with a new session: speed against plain gemini',
      value: pairedRatio(times.plain, times.fresh),
      unit: 'x',
      atLeast: 12,
      detail,
    },
    {
      name: 'warm step with a session created ahead: speed against plain gemini',
      value: pairedRatio(times.plain, times.ahead),
      unit: 'x',
      atLeast: 40,
      detail,
    },
  ];
}
