// Runs the batch of the first argument: the plan, the options of `runBatch`, and the configuration of the provider.
import { GeminiCliProvider } from 'gemini-cli-provider';
import { runBatch } from 'gemini-cli-provider/batch';

const [given = '{}'] = process.argv.slice(2);
const { plan, options, config } = JSON.parse(given);
const provider = new GeminiCliProvider(config);
try {
  const { steps } = await runBatch(plan, { ...options, provider });
  const shown = steps.map(({ id, state, warnings }) => ({ id, state, warnings }));
  process.stdout.write(JSON.stringify(shown));
} finally {
  await provider.dispose();
}
