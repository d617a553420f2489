import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installHooks, type Remote, startRemote } from 'gemini-cli-provider/remote';
import { expect, it, onTestFinished } from 'vitest';
import { createTmux } from '../../.build/remote/tmux/run-tmux.js';
import { makeFolder } from '../support.js';
import { shell } from '../tool-calls.js';
import {
  isolateTmux,
  nextRequest,
  openRemoteLab,
  PHONE,
  type RemoteLab,
  until,
} from './remote-lab.js';

const GEMINI = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'gemini');

/** Starts the CLI in a pane of a tmux server of the person. Without the variables of tmux, it is a terminal like any other. */
async function startInPane(lab: RemoteLab, name: string, isInTmux: boolean) {
  const run = createTmux({ name });
  onTestFinished(async () => void (await run(['kill-server']).catch(() => '')));
  const variables = Object.entries({
    ...lab.model.env,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_CLI_NO_RELAUNCH: 'true',
    COLORTERM: 'truecolor',
  }).map(([variable, value]) => `${variable}=${value}`);
  // With CI set, the CLI draws no screen.
  const without = ['-u', 'CI', ...(isInTmux ? [] : ['-u', 'TMUX', '-u', 'TMUX_PANE'])];
  // A CLI that ends leaves its last screen, which tells why.
  const pane = (
    await run([
      ...['start-server', ';', 'set-option', '-g', 'remain-on-exit', 'on', ';'],
      ...['new-session', '-d', '-P', '-F', '#{pane_id}', '-x', '120', '-y', '40', '-c', lab.root],
      ...['env', ...without, ...variables, GEMINI, '-m', 'gemini-2.5-flash'],
    ])
  ).trim();
  const type = async (text: string, ...keys: readonly string[]): Promise<void> => {
    await run(['send-keys', '-t', pane, '-l', text]);
    for (const key of keys) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await run(['send-keys', '-t', pane, key]);
    }
  };
  const shows = (text: string) =>
    until(async () => {
      const screen = await run(['capture-pane', '-p', '-t', pane]);
      if (screen.includes('Pane is dead')) throw new Error(`the CLI has ended:\n${screen}`);
      return screen.includes(text);
    });
  return { run, pane, type, shows };
}

const byDriver = ({ control }: Remote, driver: string) =>
  control.list().find((session) => session.driver === driver);

it('a new server finds sessions in the panes and terminals of the person, another server leaves them alone, and a CLI that is killed has ended', {
  timeout: 180_000,
}, async () => {
  isolateTmux();
  const lab = await openRemoteLab([
    { prompt: 'shell', turns: [{ toolCalls: [shell('echo hi > out.txt')] }, { text: 'Over.' }] },
    { turns: [{ text: 'Fine.' }] },
  ]);
  await installHooks({ state: lab.state, env: lab.model.env });
  await startInPane(lab, 'person', true);
  const plain = await startInPane(lab, 'plain', false);
  const led = await until(() => byDriver(lab.remote, 'tmux'));
  const watched = await until(() => {
    const session = byDriver(lab.remote, 'watch');
    return session?.mode === undefined ? undefined : session;
  });
  expect(watched).toMatchObject({ mode: 'default', capabilities: { prompt: false, deny: true } });

  // A dialog in a terminal that is only watched is shown, and answered there.
  await plain.shows('Type your message');
  await plain.type('shell please', 'Enter');
  const request = await nextRequest(lab);
  expect(request).toMatchObject({ kind: 'dialog', isDenyOnly: true, command: 'echo hi > out.txt' });
  expect(existsSync(join(lab.root, 'out.txt'))).toBe(false);
  await plain.shows('Allow once');
  await plain.type('1');
  await until(() => existsSync(join(lab.root, 'out.txt')));
  await until(() => lab.remote.control.requests().length === 0);

  const other = await startRemote({ state: join(makeFolder(), 'state'), roots: [lab.root] });
  onTestFinished(() => other.close());
  expect(other.control.list().filter(({ driver }) => driver !== 'past')).toEqual([]);

  await lab.remote.close();
  const again = await startRemote({ state: lab.state, roots: [lab.root], config: lab.config });
  onTestFinished(() => again.close());
  await until(() => byDriver(again, 'tmux')?.state === 'ready');
  expect(byDriver(again, 'tmux')?.id).toBe(led.id);
  expect(byDriver(again, 'watch')?.id).toBe(watched.id);
  const promptId = 'prompt-0001';
  await again.control.prompt(led.id, { promptId, text: 'to the new server' }, PHONE);
  await until(() => JSON.stringify(lab.model.requests).includes('to the new server'));

  const pid = (await plain.run(['display-message', '-p', '-t', plain.pane, '#{pane_pid}'])).trim();
  process.kill(Number(pid), 'SIGKILL');
  await until(() => again.control.list().find(({ id }) => id === watched.id)?.state === 'ended');
});

it('a session that cannot be taken over goes on at the desk', { timeout: 120_000 }, async () => {
  isolateTmux();
  const lab = await openRemoteLab([{ turns: [{ text: 'Fine.' }] }], {
    config: { cliPath: '/nowhere/gemini' },
  });
  await installHooks({ state: lab.state, env: lab.model.env, cliPath: GEMINI });
  await startInPane(lab, 'person', true);
  const { id } = await until(() => {
    const session = byDriver(lab.remote, 'tmux');
    return session?.state === 'ready' ? session : undefined;
  });
  const { control } = lab.remote;
  await control.prompt(id, { promptId: 'prompt-0001', text: 'hello' }, PHONE);
  await until(() => JSON.stringify(lab.model.requests).includes('hello'));
  await until(() => byDriver(lab.remote, 'tmux')?.state === 'ready');
  await expect(control.takeOver(id, PHONE)).rejects.toThrow('nowhere');
  expect(byDriver(lab.remote, 'tmux')).toMatchObject({ id, state: 'ready' });
});
