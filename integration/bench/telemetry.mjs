import { GeminiCliProvider } from 'gemini-cli-provider';
import { traced } from 'gemini-cli-provider/otel';
import { openBenchLab, PROMPT } from './lab.mjs';
import { median, pairedRatio, timed } from './statistics.mjs';

const WARM_UP = 10;
const REPLAYS = 2_000;

/**
 * Measures telemetry without an SDK of OpenTelemetry. A warm step varies by more than the goal, so the events of a real step are
 * replayed with and without the wrapper, which shows the wrapper alone. The ratio of whole steps is measured, too, beside
 * the ratio of two sides that are the same: that is what the ratio is worth on this machine.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchTelemetry(rounds) {
  const lab = await openBenchLab();
  const provider = new GeminiCliProvider({ ...lab.config, transport: 'acp' });
  const sides = [provider, provider, traced(provider)];
  /** @type {[number[], number[], number[]]} */
  const times = [[], [], []];
  /** @type {import('gemini-cli-provider').AgentEvent[]} */
  const events = [];
  try {
    for (let n = 0; n < WARM_UP; n++) await sides[2]?.generate(PROMPT);
    for await (const event of provider.stream(PROMPT)) events.push(event);
    for (let round = 0; round < rounds * 4; round++) {
      // The order rotates, so that no side always has the sessions that another has left.
      for (let turn = 0; turn < sides.length; turn++) {
        const side = (round + turn) % sides.length;
        times[side]?.push(await timed(async () => sides[side]?.generate(PROMPT)));
      }
    }
  } finally {
    await provider.dispose();
    await lab.close();
  }
  const [direct, again, wrapped] = times;
  const step = median(direct);
  const added = await measureReplay(provider.metadata, events);
  return [
    {
      name: 'telemetry without an SDK: time that it adds to a warm step',
      value: (100 * added) / step,
      unit: '%',
      atMost: 1,
      detail: `${(1_000 * added).toFixed(0)} µs for the ${events.length} events of a step of ${step.toFixed(0)} ms`,
    },
    {
      name: 'telemetry without an SDK: warm step, against the same step called directly',
      value: pairedRatio(wrapped, direct),
      unit: 'x',
      detail: `${direct.length} rounds on one warm process; direct against direct ${pairedRatio(again, direct).toFixed(2)}x`,
    },
  ];
}

/**
 * Returns the milliseconds that the wrapper adds to the events of one step.
 * @param {import('gemini-cli-provider').ProviderMetadata} metadata
 * @param {readonly import('gemini-cli-provider').AgentEvent[]} events
 */
async function measureReplay(metadata, events) {
  const replay = {
    metadata,
    validate: () => Promise.reject(new Error('not used')),
    generate: () => Promise.reject(new Error('not used')),
    async *stream() {
      yield* events;
    },
    dispose: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  const wrapped = traced(replay);
  /** @param {{ stream(prompt: string): AsyncIterable<unknown> }} provider */
  const drain = async (provider) => {
    for await (const _ of provider.stream(''));
  };
  /** @type {number[]} */
  const added = [];
  for (let n = 0; n < REPLAYS; n++) {
    const direct = await timed(() => drain(replay));
    added.push((await timed(() => drain(wrapped))) - direct);
  }
  return Math.max(0, median(added));
}
