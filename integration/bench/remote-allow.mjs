import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  NOTE_CLICKS,
  openBenchDesk,
  openBenchPage,
  openRemoteBenchLab,
  showSession,
  waitFor,
} from './remote-lab.mjs';
import { median } from './statistics.mjs';

/** Time in which tmux begins to wait for the key. */
const ARM_MS = 300;
const LIMIT_MS = 30_000;

/**
 * Measures the time from the tap on Allow to the key in the pane: for a dialog that stands at the desk, and for a call that waits
 * for the phone, whose dialog opens after the tap. tmux itself tells when a key was pressed.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchRemoteAllow(rounds) {
  const lab = await openRemoteBenchLab({
    script: [
      {
        prompt: 'file-',
        turns: [
          ({ prompt }) => {
            const file = /file-\d+-\w+/.exec(prompt)?.[0] ?? 'unknown';
            return {
              toolCalls: [{ name: 'write_file', args: { file_path: file, content: 'x\n' } }],
            };
          },
          { text: 'Written.' },
        ],
      },
      { turns: [{ text: 'Nothing to do.' }] },
    ],
  });
  /** @type {Record<'desk' | 'away', number[]>} */
  const times = { desk: [], away: [] };
  try {
    const desk = await (await openBenchDesk(lab))();
    const page = await openBenchPage(lab);
    await showSession(page, desk.id);
    await page.evaluate(NOTE_CLICKS);
    for (let round = 0; round < rounds; round++) {
      for (const presence of /** @type {const} */ (['desk', 'away'])) {
        await lab.desk.setAway(presence === 'away');
        times[presence].push(await measureTap(lab, desk, page, `file-${round}-${presence}`));
      }
    }
  } finally {
    await lab.close();
  }
  const show = (/** @type {readonly number[]} */ list) =>
    `${list.length} taps, the slowest ${Math.max(...list).toFixed(0)} ms`;
  return [
    {
      name: 'remote: tap on Allow until the key is pressed in the dialog',
      value: median(times.desk),
      unit: 'ms',
      atMost: 400,
      detail: show(times.desk),
    },
    {
      name: 'remote: the same for a call that waits for the phone: the CLI then opens the dialog',
      value: median(times.away),
      unit: 'ms',
      atMost: 400,
      detail: show(times.away),
    },
  ];
}

/**
 * @param {import('./remote-lab.mjs').RemoteBenchLab} lab
 * @param {{ id: string, run: import('../../.build/remote/tmux/run-tmux.js').RunTmux }} desk
 * @param {import('playwright-core').Page} page
 * @param {string} file
 */
async function measureTap(lab, { id, run }, page, file) {
  await lab.prompt(id, `Write ${file}`);
  const allow = page.getByRole('button', { name: 'Allow', exact: true });
  await allow.waitFor();
  await run(['set-hook', '-g', 'after-send-keys', `wait-for -S ${file}`]);
  const pressed = run(['wait-for', file]).then(() => Date.now());
  await delay(ARM_MS);
  await allow.tap();
  const pressedAt = await Promise.race([pressed, delay(LIMIT_MS)]);
  if (pressedAt === undefined) throw new Error('After the tap on Allow no key was pressed');
  await run(['set-hook', '-gu', 'after-send-keys']);
  await waitFor(`the allowed file ${file}`, () => existsSync(join(lab.root, file)));
  await waitFor('the end of the turn', async () => (await lab.session(id))?.state === 'ready');
  return pressedAt - Number(await page.evaluate('window.clickedAt'));
}
