// Runs many steps that do nothing through a queue, and prints the milliseconds, the peak memory in MB and, with `--expose-gc`, the
// heap in MB that is in use after a garbage collection.
// Arguments: JSON with the options of `QueuedProvider`, number of steps.
import { QueuedProvider } from 'gemini-cli-provider/queue';
import { runAll } from './lab.mjs';
import { timed } from './statistics.mjs';

const OPEN = 200;
const [options = '{}', steps = '0'] = process.argv.slice(2);
const provider = new QueuedProvider(JSON.parse(options));
await runAll(OPEN, OPEN, async () => void (await provider.generate('step=warm')));
const ms = await timed(() =>
  runAll(Number(steps), OPEN, async () => void (await provider.generate('step=none'))),
);
const memoryMb = process.resourceUsage().maxRSS / 1024;
globalThis.gc?.();
const heapMb = process.memoryUsage().heapUsed / 1024 / 1024;
await provider.dispose();
console.log(JSON.stringify({ ms, memoryMb, heapMb }));
process.exit();
