// Host process for tests that kill it. Runs one step and prints the type of each event on a line.
import { GeminiCliProvider } from 'gemini-cli-provider';

const [config = '{}'] = process.argv.slice(2);
const provider = new GeminiCliProvider(JSON.parse(config));
for await (const event of provider.stream('go')) process.stdout.write(`${event.type}\n`);
