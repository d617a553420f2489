import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  noteTexts,
  openBenchDesk,
  openBenchPage,
  openRemoteBenchLab,
  showSession,
  waitFor,
  waitOnPage,
} from './remote-lab.mjs';
import { median } from './statistics.mjs';

const DELTAS = 40;
const DELTA_MS = 190;
const NAMES = Array.from({ length: DELTAS }, (_, number) => `delta${number}x`);
const SCRIPT = [{ text: NAMES.map((name) => `${name} `), chunkDelayMs: DELTA_MS }];
const NOTER = new URL('./note-deltas.mjs', import.meta.url).href;

/**
 * Measures the way of deltas to the page in a browser: from the moment at which the CLI draws them in its
 * pane, and at which the CLI writes them over ACP.
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchRemoteDeltas() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-deltas-'));
  const notes = join(folder, 'notes');
  const lab = await openRemoteBenchLab({
    script: SCRIPT,
    variables: { NODE_OPTIONS: `--import=${NOTER}`, GEMINI_NOTED_DELTAS: notes },
  });
  try {
    const page = await openBenchPage(lab);
    const body = { startId: 'bench-start', folder: lab.root };
    const { body: started } = await lab.device('POST', '/api/sessions', body, {
      'idempotency-key': 'bench-start-0001',
    });
    const acp = await measure(lab, page, `${started['id']}`, notes);
    // An idle CLI over ACP writes nothing more, so the file has the times of the other one alone from here on.
    await rm(notes);
    const { id } = await (await openBenchDesk(lab))();
    const tmux = await measure(lab, page, id, notes);
    return [
      describe('remote: a delta from the pane to the page', tmux, 700),
      describe('remote: a delta from the output of the CLI over ACP to the page', acp, 150),
    ];
  } finally {
    await lab.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Sends a prompt, and returns for each delta of its answer the milliseconds until the page shows it.
 * @param {import('./remote-lab.mjs').RemoteBenchLab} lab
 * @param {import('playwright-core').Page} page
 * @param {string} id
 * @param {string} notes file with the times of the deltas
 */
async function measure(lab, page, id, notes) {
  await waitFor('a session that is ready', async () => (await lab.session(id))?.state === 'ready');
  await showSession(page, id);
  await page.evaluate(noteTexts(/delta\d+x/g));
  await lab.prompt(id, 'Count.');
  const shown = await waitOnPage(page, 'all deltas', async () => {
    /** @type {Record<string, number>} */
    const seen = await page.evaluate('window.shownAt');
    return Object.keys(seen).length === DELTAS && seen;
  });
  const lines = readFileSync(notes, 'utf8').trim().split('\n');
  /** @type {Map<string, number>} */
  const written = new Map();
  for (const line of lines) {
    const [name = '', at] = line.split(' ');
    if (!written.has(name)) written.set(name, Number(at));
  }
  return NAMES.map((name) => {
    const ms = (shown[name] ?? Number.NaN) - (written.get(name) ?? Number.NaN);
    if (Number.isNaN(ms)) throw new Error(`${name} was not written by the CLI`);
    return ms;
  });
}

/**
 * @param {string} name
 * @param {readonly number[]} times
 * @param {number} atMost
 */
function describe(name, times, atMost) {
  const ninetieth = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.9)] ?? Number.NaN;
  const detail = `${times.length} deltas, one each ${DELTA_MS} ms; 90 % within ${ninetieth.toFixed(0)} ms`;
  return { name, value: median(times), unit: 'ms', atMost, detail };
}
