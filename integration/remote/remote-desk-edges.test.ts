import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installHooks } from 'gemini-cli-provider/remote';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createTmux } from '../../.build/remote/tmux/run-tmux.js';
import { startCliInTmux } from '../../.build/remote/tmux/start-cli.js';
import { DeskClient } from '../../src/remote/desk/ask-desk.js';
import { makeFolder } from '../support.js';
import { shell } from '../tool-calls.js';
import { startDeskCli } from './desk-cli.mjs';
import {
  contentsOf,
  sendPrompt,
  sessionOf,
  setAway,
  startAtDesk,
  untilPrompt,
} from './desk-lab.js';
import { isolateTmux, nextRequest, openRemoteLab, PHONE, until } from './remote-lab.js';

const BIN = join(import.meta.dirname, '..', '..');
const GEMINI = join(BIN, 'node_modules', '.bin', 'gemini');
const MAIN = join(BIN, 'dist', 'cli.js');
const pause = () => new Promise((resolve) => setTimeout(resolve, 500));

it('the lines of a prompt do not reach the shell of a CLI that was stopped with Ctrl-Z', async () => {
  isolateTmux();
  const lab = await openRemoteLab([{ turns: [({ prompt }) => ({ text: `Echo: ${prompt}` })] }]);
  await installHooks({ state: lab.state, env: lab.model.env });
  const run = createTmux({ name: 'person' });
  onTestFinished(async () => void (await run(['kill-server']).catch(() => '')));
  const variables = Object.entries({
    ...lab.model.env,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_CLI_NO_RELAUNCH: 'true',
  }).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  await run([
    'new-session',
    '-d',
    ...variables,
    '-x',
    '120',
    '-y',
    '40',
    '-c',
    lab.root,
    // With CI set, the CLI draws no screen.
    ...['env', '-u', 'CI', 'sh', '-i'],
  ]);
  const read = () => run(['capture-pane', '-p']);
  const type = async (text: string): Promise<void> => {
    await run(['send-keys', '-l', text]);
    await pause();
    await run(['send-keys', 'Enter']);
  };
  await type(`${GEMINI} -m gemini-2.5-flash`);
  const { id } = await until(() =>
    lab.remote.control.list().find(({ driver, state }) => driver === 'tmux' && state === 'ready'),
  );
  // The CLI wants the key twice within a second; a shell ignores it.
  await until(async () => {
    await run(['send-keys', 'C-z']);
    await pause();
    return /Stopped|suspended/.test(await read());
  });

  const refused = await sendPrompt(lab, id, '!touch one.txt\ntouch two.txt\n');
  const { detail } = await untilPrompt(lab, id, refused, 'not-delivered');
  expect(detail).toContain('not in the foreground');
  await expect(lab.remote.control.setMode(id, 'plan', PHONE)).rejects.toThrow();
  await pause();
  expect(await read()).not.toContain('touch');
  expect(['one.txt', 'two.txt'].filter((name) => existsSync(join(lab.root, name)))).toEqual([]);

  await type('fg');
  await until(async () => /Type your message/.test((await read()).split('fg').at(-1) ?? ''));
  const sent = await sendPrompt(lab, id, '!touch one.txt\ntouch two.txt\n');
  await untilPrompt(lab, id, sent, 'answered');
  expect(lab.model.requests.at(-1)?.prompt).toBe('!touch one.txt\ntouch two.txt');
  expect(existsSync(join(lab.root, 'one.txt'))).toBe(false);
});

it('a server that is killed while a hook waits leaves the dialog at the desk, and nothing has run', async () => {
  isolateTmux();
  const model = await startScriptedModel([
    { toolCalls: [shell('echo hi > out.txt')] },
    { text: 'Over.' },
  ]);
  onTestFinished(() => model.close());
  const [root, state] = [makeFolder(), join(makeFolder(), 'state')];
  await installHooks({ state, env: model.env });
  const server = startServer(state, root, model.env);
  const client = new DeskClient(state);
  await until(() => client.status().catch(() => undefined));
  await client.setAway(true);
  const { run } = await startDeskCli(root, model.env);
  onTestFinished(async () => void (await run(['kill-server']).catch(() => '')));
  const sessions = async () => (await client.status()).sessions;
  await until(async () => (await sessions()).some((session) => session.state === 'ready'));
  await run(['send-keys', '-l', 'shell please']);
  await pause();
  await run(['send-keys', 'Enter']);
  await until(async () => (await sessions()).some(({ openRequests }) => openRequests === 1));
  expect(await run(['capture-pane', '-p'])).not.toContain('Allow once');
  server.kill('SIGKILL');
  await until(async () => /Allow once/.test(await run(['capture-pane', '-p'])));
  expect(existsSync(join(root, 'out.txt'))).toBe(false);
  await run(['send-keys', '1']);
  await until(() => existsSync(join(root, 'out.txt')));
});

it('the question about trust is shown to a device and answered at the desk, and the CLI that starts again is the same session', async () => {
  isolateTmux();
  const lab = await openRemoteLab([{ turns: [{ text: 'Fine.' }] }]);
  await installHooks({ state: lab.state, env: lab.model.env });
  const { GEMINI_CLI_TRUST_WORKSPACE: _, ...environment } = { ...process.env, ...lab.model.env };
  const cliSessionId = randomUUID();
  const { run, pane } = await startCliInTmux({
    ...{ folder: lab.root, cliSessionId, isResumed: false, environment },
    args: ['-m', 'gemini-2.5-flash'],
  });
  onTestFinished(async () => void (await run(['kill-server']).catch(() => '')));
  const { control } = lab.remote;
  const dialog = await until(() => control.requests().find(({ kind }) => kind === 'dialog'));
  expect(dialog).toMatchObject({ isDenyOnly: true, options: [] });
  expect(dialog.text).toContain('Do you trust');
  const choose = { type: 'choose', option: '1' } as const;
  await expect(control.decide(dialog.id, choose, PHONE)).rejects.toThrow('does not offer');
  await run(['send-keys', '-t', pane, '1']);
  const { sessionId: id } = dialog;
  // A prompt that meets the CLI while that one ends is not delivered.
  await until(async () => {
    await until(() => sessionOf(lab, id)?.state === 'ready');
    const sent = await sendPrompt(lab, id, 'hello');
    return (await untilPrompt(lab, id, sent, 'answered', 'not-delivered')).status === 'answered';
  });
  expect(control.requests()).toEqual([]);
  expect(sessionOf(lab, id)).toMatchObject({ driver: 'tmux', cliSessionId });
  expect(control.list().filter(({ driver }) => driver !== 'past')).toHaveLength(1);
});

it('prompts arrive at the model as they were sent, and run nothing', async () => {
  isolateTmux();
  const lab = await openRemoteLab([{ turns: [{ text: 'Fine.' }] }]);
  await installHooks({ state: lab.state, env: lab.model.env });
  const { id, read } = await startAtDesk(lab);
  const lines = Array.from({ length: 400 }, (_line, row) => `row ${row}`).join('\n');
  const texts: readonly (readonly [string, string?])[] = [
    ['!touch one.txt'],
    ['?'],
    ['it ends with a backslash \\'],
    ['$(touch one.txt) `touch one.txt` "a" \'b\'; -n %s #{pane_id}'],
    ['tabs\tand\n  an indent\n\nlines'],
    ['你好 שלום 👩‍👩‍👧 é'],
    ['a\u001b[201~!touch one.txt\u0007\u200bb\r\nc', 'a[201~!touch one.txtb\nc'],
    ['  blanks at both ends \n'],
    [lines],
    ['0123456789'.repeat(2_000)],
  ];
  for (const [text, wanted = text] of texts) {
    await untilPrompt(lab, id, await sendPrompt(lab, id, text), 'answered');
    expect(lab.model.requests.at(-1)?.prompt.trim()).toBe(wanted.trim());
  }
  writeFileSync(join(lab.root, 'notes.txt'), 'the content of the notes');
  await untilPrompt(lab, id, await sendPrompt(lab, id, 'read @notes.txt'), 'answered');
  expect(JSON.stringify(lab.model.requests.at(-1))).toContain('the content of the notes');
  const command = await sendPrompt(lab, id, '\u200b/quit');
  const { detail } = await untilPrompt(lab, id, command, 'not-delivered');
  expect(detail).toContain('slash');
  expect(existsSync(join(lab.root, 'one.txt'))).toBe(false);
  expect(await read()).toContain('Type your message');
});

it('Escape at the desk while a call waits for a device withdraws the request, and nothing runs', async () => {
  isolateTmux();
  const lab = await openRemoteLab([
    { prompt: 'shell', turns: [{ toolCalls: [shell('echo hi > out.txt')] }, { text: 'Over.' }] },
    { turns: [{ text: 'Fine.' }] },
  ]);
  await installHooks({ state: lab.state, env: lab.model.env });
  const { id, press } = await startAtDesk(lab);
  await setAway(lab, true);
  const held = await sendPrompt(lab, id, 'shell please');
  const { id: requestId } = await nextRequest(lab);
  await press('Escape');
  await until(() => lab.remote.control.requests().length === 0);
  await untilPrompt(lab, id, held, 'answered');
  await until(() => sessionOf(lab, id)?.state === 'ready');
  expect(existsSync(join(lab.root, 'out.txt'))).toBe(false);
  expect(await contentsOf(lab, id)).toContainEqual(
    expect.objectContaining({ type: 'decision', requestId, outcome: 'desk' }),
  );
});

/** Starts `gemini-cli-provider remote` in a process of its own, which ends with the test. */
function startServer(
  state: string,
  root: string,
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const server = spawn(
    process.execPath,
    [MAIN, 'remote', '--json', '--port', '0', '--state', state, '--root', root],
    { env: { ...process.env, ...env }, stdio: 'ignore' },
  );
  onTestFinished(() => void server.kill('SIGKILL'));
  return server;
}
