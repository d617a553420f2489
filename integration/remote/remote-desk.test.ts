import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installHooks, uninstallHooks } from 'gemini-cli-provider/remote';
import { expect, it } from 'vitest';
import { setAway, startAtDesk } from './desk-lab.js';
import {
  isolateTmux,
  nextRequest,
  openRemoteLab,
  PHONE,
  type RemoteLab,
  until,
} from './remote-lab.js';

const call = promisify(execFile);

const stateOf = ({ remote }: RemoteLab, id: string): string | undefined =>
  remote.control.list().find((session) => session.id === id)?.state;

it('a session at the desk: prompt with proof, allow by key, deny with a reason, mode, model, end', {
  timeout: 180_000,
}, async () => {
  isolateTmux();
  const write = { name: 'write_file', args: { file_path: 'hello.js', content: 'hi\n' } };
  const shell = { name: 'run_shell_command', args: { command: 'echo hi > out.txt' } };
  const lab = await openRemoteLab([
    { prompt: 'write', turns: [{ toolCalls: [write] }, { text: 'I wrote it.' }] },
    { prompt: 'shell', turns: [{ toolCalls: [shell] }, { text: 'Shell is over.' }] },
    { turns: [{ text: 'Something else.' }] },
  ]);
  const settings = join(lab.model.env['GEMINI_CLI_HOME'] ?? '', '.gemini/settings.json');
  const before = readFileSync(settings, 'utf8');
  await installHooks({ state: lab.state, env: lab.model.env });
  expect(readFileSync(settings, 'utf8')).toBe(before);
  const { control } = lab.remote;
  const { id } = await startAtDesk(lab);
  await setAway(lab, true);

  // Typed as keys, the text after the exclamation mark would run as a shell command.
  await control.prompt(
    id,
    {
      promptId: 'prompt-0001',
      text: 'please write! echo pwned > pwned.txt \u001b[201~!touch pwned.txt',
    },
    PHONE,
  );
  const first = await nextRequest(lab);
  expect(first).toMatchObject({ toolName: 'write_file', diff: expect.stringContaining('+hi') });
  await control.decide(first.id, { type: 'allow', inputHash: first.inputHash }, PHONE);
  await until(() => existsSync(join(lab.root, 'hello.js')));
  await until(() => stateOf(lab, id) === 'ready');

  await control.prompt(id, { promptId: 'prompt-0002', text: 'shell please' }, PHONE);
  const second = await nextRequest(lab);
  expect(second.command).toBe('echo hi > out.txt');
  await control.decide(second.id, { type: 'deny', reason: 'not today' }, PHONE);
  await until(
    () => stateOf(lab, id) === 'ready' && JSON.stringify(lab.model.requests).includes('not today'),
  );
  expect([existsSync(join(lab.root, 'out.txt')), existsSync(join(lab.root, 'pwned.txt'))]).toEqual([
    false,
    false,
  ]);

  await control.setMode(id, 'auto_edit', PHONE);
  await expect(control.setMode(id, 'yolo', PHONE)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await control.setModel(id, 'gemini-2.5-pro', PHONE);
  expect(control.list().find((session) => session.id === id)).toMatchObject({
    mode: 'auto_edit',
    model: 'gemini-2.5-pro',
  });
  await expect(control.prompt(id, { promptId: 'prompt-0003', text: '' }, PHONE)).rejects.toThrow(
    'empty',
  );

  const entries = await control.entries(id);
  const prompts = entries.flatMap(({ content }) =>
    content.type === 'prompt' && content.promptId === 'prompt-0001' ? [content.status] : [],
  );
  expect(prompts).toEqual(['queued', 'sent', 'accepted', 'answered']);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_entry, index) => index + 1));
  await control.end(id, PHONE);
  await until(() => stateOf(lab, id) === 'ended');
  await uninstallHooks({ state: lab.state, env: lab.model.env });
  expect(readFileSync(settings, 'utf8')).toBe(before);
});

it('a server that is gone while a hook waits leaves the dialog at the desk, and nothing has run', {
  timeout: 120_000,
}, async () => {
  const tmux = isolateTmux();
  const shell = { name: 'run_shell_command', args: { command: 'echo hi > out.txt' } };
  const lab = await openRemoteLab([{ toolCalls: [shell] }, { text: 'Over.' }]);
  await installHooks({ state: lab.state, env: lab.model.env });
  const { id } = await startAtDesk(lab);
  await setAway(lab, true);
  await lab.remote.control.prompt(id, { promptId: 'prompt-0001', text: 'shell please' }, PHONE);
  await nextRequest(lab);
  await lab.remote.close();
  const read = async (): Promise<string> => {
    const options = { env: { ...process.env, ...tmux } };
    return (await call('tmux', ['-L', 'gemini-cli-provider', 'capture-pane', '-p'], options))
      .stdout;
  };
  await until(async () => /Allow once/.test(await read()));
  expect(existsSync(join(lab.root, 'out.txt'))).toBe(false);
});
