import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { generateText } from 'ai';
import { GeminiCliProvider } from 'gemini-cli-provider';
import { createGeminiCli } from 'gemini-cli-provider/ai-sdk';
import { MODEL, openBenchLab, PROMPT } from './lab.mjs';
import { median, timed } from './statistics.mjs';

const CALLS = 200;
const WARM_UP = 20;

/**
 * Measures `generateText` of the AI SDK against the same step called directly, on the same warm process, and the memory of
 * this process over 200 calls.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchAiSdk(rounds) {
  const lab = await openBenchLab();
  const provider = new GeminiCliProvider({ ...lab.config, transport: 'acp' });
  const model = createGeminiCli({ provider })(MODEL);
  const direct = async () => {
    await provider.generate(PROMPT);
  };
  const call = async () => {
    const { toolResults } = await generateText({ model, prompt: PROMPT });
    if (toolResults.length !== 1) throw new Error('The call has not written its file');
  };
  /** @type {number[]} */
  const added = [];
  /** @type {number[]} */
  const heaps = [];
  try {
    for (let n = 0; n < WARM_UP; n++) await call();
    // The order alternates, so that neither side has the sessions that the other has left.
    for (let round = 0; round < rounds * 4; round++) {
      const [first, second] = round % 2 === 0 ? [direct, call] : [call, direct];
      const [one, two] = [await timed(first), await timed(second)];
      added.push(round % 2 === 0 ? two - one : one - two);
    }
    for (let n = 0; n <= CALLS; n++) {
      if (n % (CALLS / 4) === 0) heaps.push(measureHeap(lab));
      if (n < CALLS) await call();
    }
  } finally {
    await provider.dispose();
    await lab.close();
  }
  const [first = 0] = heaps;
  const shown = heaps.map((bytes) => (bytes / 2 ** 20).toFixed(1)).join(', ');
  return [
    {
      name: 'generateText of the AI SDK: added to the same step called directly',
      value: median(added),
      unit: 'ms',
      atMost: 10,
      detail: `${added.length} pairs on one warm process`,
    },
    {
      name: `memory after ${CALLS} calls of generateText, against before`,
      value: (heaps.at(-1) ?? 0) / first,
      unit: 'x',
      atMost: 1.2,
      detail: `heap in MB after each quarter: ${shown}`,
    },
  ];
}

/**
 * Returns the bytes of the heap after a collection of garbage. The scripted model runs in this process and keeps all requests,
 * which no real API does.
 * @param {{ forgetRequests(): void }} lab
 */
function measureHeap(lab) {
  lab.forgetRequests();
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
