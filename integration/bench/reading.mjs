import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { median, pairedRatio } from './statistics.mjs';

const STREAM_BYTES = 200_000_000;
const WORDS =
  'some words of an answer, as a model gives them in pieces of a few hundred characters at most. ';

/** Yields mostly deltas and now and then a written file, in the proportions of a real step. */
function* makeLines() {
  for (let bytes = 0, n = 0; bytes < STREAM_BYTES; n++) {
    const timestamp = '2026-11-15T23:44:49.226Z';
    const tool_id = `write_file__write_file_1794786288956_${n - (n % 20)}`;
    /** @type {object} */
    let event = {
      type: 'message',
      timestamp,
      role: 'assistant',
      content: WORDS.slice(0, 20 + (n % 300)),
      delta: true,
    };
    if (n % 20 === 0)
      event = {
        type: 'tool_use',
        timestamp,
        tool_name: 'write_file',
        tool_id,
        parameters: { file_path: `src/a${n}.ts`, content: WORDS.repeat(8) },
      };
    if (n % 20 === 1) event = { type: 'tool_result', timestamp, tool_id, status: 'success' };
    const line = `${JSON.stringify(event)}\n`;
    bytes += line.length;
    yield line;
  }
}

/**
 * @param {string} side
 * @param {string} file
 * @returns {Promise<{ ms: number, events: number, rssMb: number }>}
 */
async function runSide(side, file) {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'reading-side.mjs'),
    side,
    file,
  ]);
  return JSON.parse(stdout);
}

/**
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchReading(rounds) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const stream = join(folder, 'stream.ndjson');
    await pipeline(makeLines, createWriteStream(stream));
    const [short, long] = [join(folder, 'short'), join(folder, 'long')];
    await writeFile(short, Buffer.alloc(10_000_000, 'x'));
    await writeFile(long, Buffer.alloc(100_000_000, 'x'));
    /** @type {Record<string, number[]>} */
    const ms = { bare: [], provider: [], readline: [], short: [], long: [] };
    let rssMb = 0;
    for (let round = 0; round < rounds; round++) {
      const sides = [
        await runSide('bare', stream),
        await runSide('provider', stream),
        await runSide('readline', stream),
      ];
      if (new Set(sides.map(({ events }) => events)).size !== 1)
        throw new Error('The sides have counted different numbers of events');
      rssMb = Math.max(rssMb, sides[1]?.rssMb ?? 0);
      for (const [index, name] of ['bare', 'provider', 'readline'].entries()) {
        ms[name]?.push(sides[index]?.ms ?? Number.NaN);
      }
      ms['short']?.push((await runSide('line', short)).ms);
      ms['long']?.push((await runSide('line', long)).ms);
    }
    const { bare = [], provider = [], readline = [] } = ms;
    /** @param {number[]} times */
    const speed = (times) => `${(STREAM_BYTES / 1000 / median(times)).toFixed(0)} MB/s`;
    const detail = `JSON.parse ${speed(bare)}, provider ${speed(provider)}, readline ${speed(readline)}`;
    return [
      {
        name: 'reading 200 MB: speed against bare JSON.parse',
        value: pairedRatio(bare, provider),
        unit: 'x',
        atLeast: 0.5,
        detail,
      },
      {
        name: 'reading 200 MB: speed against readline',
        value: pairedRatio(readline, provider),
        unit: 'x',
        atLeast: 1.1,
        detail,
      },
      { name: 'reading 200 MB: memory', value: rssMb, unit: 'MB', atMost: 150, detail: '' },
      {
        name: 'time for a line of 100 MB against one of 10 MB',
        value: pairedRatio(ms['long'] ?? [], ms['short'] ?? []),
        unit: 'x',
        atMost: 20,
        detail: '',
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
