import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openRemoteFolder } from '../../.build/remote/state/remote-folder.js';
import { SessionStore } from '../../.build/remote/state/session-store.js';
import {
  NOTE_CLICKS,
  noteTexts,
  openBenchPage,
  openRemoteBenchLab,
  waitOnPage,
} from './remote-lab.mjs';
import { median } from './statistics.mjs';

const MESSAGES = 10_000;
const LAST = 'This is the last message.';
const PROMPTS = { log: 'A session in the log', file: 'A session in its file' };

/**
 * Measures how long the page takes to open a session of 10,000 messages, from the tap in the list to the frame with the last
 * message: a session that the server has led, and one of the past, of which the CLI has a file alone.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchRemoteOpen(rounds) {
  const lab = await openRemoteBenchLab({
    script: [{ text: 'Nothing to do.' }],
    prepare: async ({ state, geminiHome }) => {
      await writeLog(state);
      await writeSessionFile(geminiHome);
    },
  });
  /** @type {Record<keyof typeof PROMPTS, number[]>} */
  const times = { log: [], file: [] };
  try {
    const page = await openBenchPage(lab);
    await page.evaluate(NOTE_CLICKS);
    for (let round = 0; round < rounds; round++)
      for (const kind of /** @type {const} */ (['log', 'file']))
        times[kind].push(await measureOpening(page, PROMPTS[kind]));
  } finally {
    await lab.close();
  }
  const what = `remote: a session of ${MESSAGES.toLocaleString('en')} messages on the page`;
  return [
    { name: `${what}, led by the server`, times: times.log },
    { name: `${what}, of the past`, times: times.file },
  ].map(({ name, times: list }) => ({
    name,
    value: median(list),
    unit: 'ms',
    atMost: 1_000,
    detail: `${list.length} openings, the first ${list[0]} ms, the slowest ${Math.max(...list)} ms`,
  }));
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} prompt
 */
async function measureOpening(page, prompt) {
  await page.evaluate(`location.hash = '#/'`);
  const link = page.getByRole('link', { name: prompt });
  await link.waitFor();
  await page.evaluate(noteTexts(new RegExp(LAST, 'g')));
  await link.tap();
  const shownAt = await waitOnPage(page, 'the last message', async () => {
    /** @type {Record<string, number>} */
    const seen = await page.evaluate('window.shownAt');
    return seen[LAST];
  });
  const rows = await page.locator('.rows-of-session > *').count();
  const earlier = await page.getByRole('button', { name: 'Show earlier rows' }).innerText();
  if (rows + Number(/\d+/.exec(earlier)?.[0]) !== MESSAGES)
    throw new Error(`The page has not all messages: ${rows} rows, ${earlier}`);
  return shownAt - Number(await page.evaluate('window.clickedAt'));
}

/** @param {number} number */
function makeText(number) {
  if (number === MESSAGES - 1) return LAST;
  const list = '- one point\n- another point with `code`\n';
  return number % 2 === 0
    ? `Question ${number}: what does the function do?`
    : `## Answer ${number}\n\nThe **function** reads a file.\n\n${list}\n\`\`\`js\nread('${number}.txt');\n\`\`\``;
}

/**
 * Writes a session into the log of the server.
 * @param {string} state
 */
async function writeLog(state) {
  const store = new SessionStore(openRemoteFolder(process.env, state).sessions);
  const log = await store.create({
    id: randomUUID(),
    folder: state,
    startedAt: new Date().toISOString(),
  });
  for (let number = 0; number < MESSAGES; number++) {
    const isFirst = number === 0;
    const role = number % 2 === 0 ? 'user' : 'assistant';
    const blocks = [
      { type: /** @type {const} */ ('text'), text: isFirst ? PROMPTS.log : makeText(number) },
    ];
    log.add({ type: 'message', messageId: `m${number}`, role, blocks }, 'agent');
  }
  await log.sync();
  await log.close();
}

/**
 * Writes a session as the CLI does.
 * @param {string} geminiHome
 */
async function writeSessionFile(geminiHome) {
  const chats = join(geminiHome, 'tmp', 'app', 'chats');
  await mkdir(chats, { recursive: true });
  const timestamp = new Date().toISOString();
  const sessionId = randomUUID();
  const messages = Array.from({ length: MESSAGES }, (_, number) => {
    const text = number === 0 ? PROMPTS.file : makeText(number);
    return number % 2 === 0
      ? { id: `m${number}`, timestamp, type: 'user', content: [{ text }] }
      : { id: `m${number}`, timestamp, type: 'gemini', content: text, model: 'gemini-2.5-flash' };
  });
  const header = { sessionId, projectHash: 'x', startTime: timestamp, kind: 'main' };
  const lines = [header, ...messages].map((line) => JSON.stringify(line));
  const name = `session-2026-11-16T10-00-${sessionId.slice(0, 8)}.jsonl`;
  await writeFile(join(chats, name), `${lines.join('\n')}\n`);
}
