// Runs one step through a queue. Arguments: JSON with the options of `QueuedProvider`, prompt, idempotency key.
import { QueuedProvider } from 'gemini-cli-provider/queue';

const [options = '{}', prompt = '', idempotencyKey] = process.argv.slice(2);
const provider = new QueuedProvider(JSON.parse(options));
const { text } = await provider.generate(prompt, { idempotencyKey });
await provider.dispose();
process.stdout.write(`${text}\n`);
