// Runs one side of the reading bench in a process of its own, so that its memory can be measured. Arguments: SIDE FILE.
import { once } from 'node:events';
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { StreamReader } from '../../.build/agents/headless/stream-reader.js';
import { LineFramer } from '../../.build/base/ndjson/line-framer.js';
import { FileTail } from '../../.build/base/process/file-tail.js';

const [side = '', file = ''] = process.argv.slice(2);

/** @param {(chunk: Buffer) => void} onChunk */
async function readChunks(onChunk) {
  const tail = await FileTail.open(file);
  for (let chunk = await tail.read(); chunk !== undefined; chunk = await tail.read())
    onChunk(chunk);
  await tail.close();
}

/** @type {Record<string, () => Promise<[started: number, events: number]>>} */
const SIDES = {
  /** Lower bound: JSON.parse alone, on strings that are already in memory. */
  bare: async () => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const started = performance.now();
    let events = 0;
    for (const line of lines) if (line !== '' && JSON.parse(line).type !== undefined) events++;
    return [started, events];
  },
  readline: async () => {
    const started = performance.now();
    let events = 0;
    const lines = createInterface({ input: createReadStream(file) });
    lines.on('line', (line) => {
      if (JSON.parse(line).type !== undefined) events++;
    });
    await once(lines, 'close');
    return [started, events];
  },
  /** The reader of the provider: frames, parses and validates lines, and maps each event. */
  provider: async () => {
    const started = performance.now();
    const reader = new StreamReader();
    await readChunks((chunk) => reader.push(chunk));
    reader.end();
    return [started, reader.wireEvents];
  },
  /** Reads a single line without a newline at its end. */
  line: async () => {
    const started = performance.now();
    let characters = 0;
    const framer = new LineFramer({
      onLine: (line) => {
        characters += line.length;
      },
    });
    await readChunks((chunk) => framer.push(chunk));
    framer.end();
    return [started, characters];
  },
};

const run = SIDES[side];
if (run === undefined) throw new Error(`Unknown side ${side}`);
const [started, events] = await run();
const ms = performance.now() - started;
console.log(JSON.stringify({ ms, events, rssMb: process.resourceUsage().maxRSS / 1024 }));
