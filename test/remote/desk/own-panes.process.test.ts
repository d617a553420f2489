import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { listOwnPanes } from '../../../src/remote/desk/own-panes.js';
import { PANE_OPTION, TMUX_NAME } from '../../../src/remote/tmux/start-cli.js';
import { openTmux } from '../tmux/open-tmux.js';

it('lists the panes of our own tmux that have a session of the CLI and are alive', async () => {
  const run = openTmux(TMUX_NAME);
  expect(await listOwnPanes()).toEqual([]);
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'panes-'))), 'a folder');
  mkdirSync(folder);
  const open = async (command: string): Promise<string> => {
    const format = ['-P', '-F', '#{pane_id}'];
    return (await run(['new-session', '-d', ...format, '-c', folder, 'sh', '-c', command])).trim();
  };
  const [marked, unmarked] = [await open('sleep 60'), await open('sleep 60')];
  await run(['set-option', '-g', 'remain-on-exit', 'on']);
  const dead = await open('exit 0');
  for (const id of [marked, dead])
    await run(['set-option', '-p', '-t', id, PANE_OPTION, `cli-${id.slice(1)}`]);
  await vi.waitFor(async () => {
    const state = await run(['display-message', '-p', '-t', dead, '#{pane_dead}']);
    expect(state.trim()).toBe('1');
  }, 10_000);
  await run(['set-option', '-p', '-t', unmarked, PANE_OPTION, 'not a session']);
  const panes = await listOwnPanes();
  expect(panes).toMatchObject([
    {
      cliSessionId: `cli-${marked.slice(1)}`,
      folder,
      place: { pane: { id: marked, isOwn: true } },
    },
  ]);
  const socket = panes[0]?.place.socket ?? '';
  expect(panes[0]?.place.key).toBe(`${socket} ${marked}`);
  expect(socket).toMatch(new RegExp(`/${TMUX_NAME}$`));
});
