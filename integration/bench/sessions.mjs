import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listSessions } from 'gemini-cli-provider/sessions';
import { median, pairedRatio, timed } from './statistics.mjs';

const SESSIONS = 1_000;
const SESSION_BYTES = 1_000_000;
/** Parsing a gigabyte takes seconds, so more rounds would take too long. */
const MOST_ROUNDS = 3;

/**
 * Measures a list of a thousand sessions of a megabyte each, against reading and parsing all of them.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchSessions(rounds) {
  const home = await mkdtemp(join(tmpdir(), 'bench-'));
  const chats = join(home, 'tmp', 'app', 'chats');
  try {
    await mkdir(chats, { recursive: true });
    /** @type {string[]} */
    const files = [];
    for (let n = 0; n < SESSIONS; n++) {
      const file = join(chats, `session-2026-11-16T10-00-${String(n).padStart(8, '0')}.jsonl`);
      await writeFile(file, makeSession(n));
      files.push(file);
    }
    const list = async () => {
      const sessions = await listSessions({ geminiHome: home });
      if (sessions.length !== SESSIONS || sessions.some(({ model }) => model === undefined))
        throw new Error('The list lacks sessions or their models');
    };
    const parse = async () => {
      for (const file of files) {
        for (const line of (await readFile(file, 'utf8')).split('\n')) {
          if (line !== '') JSON.parse(line);
        }
      }
    };
    /** @type {{ list: number[], parse: number[] }} */
    const times = { list: [], parse: [] };
    await list();
    for (let round = 0; round < Math.min(rounds, MOST_ROUNDS); round++) {
      times.parse.push(await timed(parse));
      times.list.push(await timed(list));
    }
    return [
      {
        name: 'list of 1,000 sessions of 1 MB: speed against parsing them',
        value: pairedRatio(times.parse, times.list),
        unit: 'x',
        atLeast: 20,
        detail: `parsing ${median(times.parse).toFixed(0)} ms, list ${median(times.list).toFixed(0)} ms`,
      },
    ];
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** @param {number} n */
function makeSession(n) {
  const id = `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const timestamp = new Date(Date.UTC(2026, 10, 16) + n * 1000).toISOString();
  const lines = [{ sessionId: id, projectHash: 'x', startTime: timestamp, kind: 'main' }];
  const records = [];
  let bytes = 0;
  for (let turn = 0; bytes < SESSION_BYTES; turn++) {
    const code = `export const value${turn} = "text";\n`.repeat(40);
    const question = { id: `q${turn}`, timestamp, type: 'user', content: [{ text: code }] };
    const answer = {
      id: `a${turn}`,
      timestamp,
      type: 'gemini',
      content: code,
      thoughts: [{ subject: 'Plan', description: 'Think about it.', timestamp }],
      tokens: { input: 110, output: 20, cached: 0, thoughts: 0, tool: 0, total: 130 },
      model: 'gemini-2.5-flash',
    };
    const written = [question, answer, { $set: { lastUpdated: timestamp } }];
    const texts = written.map((record) => JSON.stringify(record));
    bytes += texts.reduce((sum, text) => sum + text.length, 0);
    records.push(...texts);
  }
  return `${[...lines.map((line) => JSON.stringify(line)), ...records].join('\n')}\n`;
}
