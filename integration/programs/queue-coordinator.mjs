// Runs a plan through a queue. Arguments: plan, output folder, JSON with the options of `QueuedProvider`, concurrency.
import { runBatch } from 'gemini-cli-provider/batch';
import { QueuedProvider } from 'gemini-cli-provider/queue';

const [plan = '', out = '', options = '{}', concurrency = '4'] = process.argv.slice(2);
process.stdin.once('end', () => process.exit(0));
process.stdin.resume();
const provider = new QueuedProvider(JSON.parse(options));
const { outcome, steps } = await runBatch(plan, {
  out,
  provider,
  concurrency: Number(concurrency),
});
await provider.dispose();
for (const { id, error } of steps)
  if (error !== undefined) process.stderr.write(`${id}: ${error.code} ${error.message}\n`);
process.stdout.write(`${outcome}\n`);
process.exit(outcome === 'succeeded' ? 0 : 1);
