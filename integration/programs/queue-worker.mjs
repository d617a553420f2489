// A worker for tests. Argument: JSON with the options of `createStepWorker`; `runs` is a file that gets a line for each step;
// `gemini` is the configuration of the real CLI, without which steps run inside of this process. The worker ends with its stdin.
import { GeminiCliProvider } from 'gemini-cli-provider';
import { createStepWorker } from 'gemini-cli-provider/queue';
import { createQueueAgent } from './queue-agent.mjs';

const { runs, gemini, ...options } = JSON.parse(process.argv[2] ?? '{}');
const provider = gemini === undefined ? createQueueAgent(runs) : new GeminiCliProvider(gemini);
const worker = await createStepWorker({
  ...options,
  provider,
  /** @param {import('gemini-cli-provider/queue').StepWorkerEvent} event */
  onEvent: (event) => void process.stdout.write(`${JSON.stringify(event)}\n`),
});
process.stdin.once('end', () => process.exit(0));
process.stdin.resume();
process.once('SIGTERM', async () => {
  await worker.close({ drain: true, limit: 5 });
  await provider.dispose();
  process.exit(0);
});
