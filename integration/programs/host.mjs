// A host process for tests that kill it: starts one run and reports its events, one line each.
import { GeminiCliProvider } from 'gemini-cli-provider';

const [config = '{}'] = process.argv.slice(2);
const provider = new GeminiCliProvider(JSON.parse(config));
for await (const event of provider.stream('go')) process.stdout.write(`${event.type}\n`);
