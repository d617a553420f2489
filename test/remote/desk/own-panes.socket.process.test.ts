import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { listOwnPanes } from '../../../src/remote/desk/own-panes.js';
import { PANE_OPTION, TMUX_NAME } from '../../../src/remote/tmux/start-cli.js';
import { openTmux } from '../tmux/open-tmux.js';

it('a pane is found again if the path of the socket has a blank', async () => {
  const run = openTmux(TMUX_NAME);
  const folder = join(mkdtempSync(join(tmpdir(), 'panes-')), 'a folder');
  mkdirSync(folder);
  vi.stubEnv('TMUX_TMPDIR', folder);
  const format = ['-P', '-F', '#{pane_id} #{socket_path}'];
  const opened = await run(['new-session', '-d', ...format, '-c', '/', 'sleep', '60']);
  const [id = '', ...socket] = opened.trim().split(' ');
  await run(['set-option', '-p', '-t', id, PANE_OPTION, 'cli']);
  expect(socket.length).toBeGreaterThan(1);
  expect(await listOwnPanes()).toMatchObject([
    { cliSessionId: 'cli', folder: '/', place: { socket: socket.join(' '), pane: { id } } },
  ]);
});
