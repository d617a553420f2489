import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startCommand } from '../batch-command.js';
import { makeFolder, openLab, read } from '../support.js';
import { pairDevice, send, until } from './remote-lab.js';

/** Gives the command a CLI, a home and a state folder of its own. */
async function openDesk() {
  const lab = await openLab([]);
  const state = join(makeFolder(), 'state');
  const variables = { XDG_STATE_HOME: makeFolder() };
  const start = (...args: readonly string[]) => startCommand(lab, ['remote', ...args], variables);
  const run = async (...args: readonly string[]) => start(...args).done;
  /** Starts the server and waits until its output has what is looked for. */
  const serve = async <T>(find: (printed: string) => T | undefined | null, ...args: string[]) => {
    const { child, done } = start('--port', '0', '--state', state, ...args);
    onTestFinished(() => void child.kill('SIGKILL'));
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    const found = await until(() => find(printed) ?? undefined);
    return { child, done, found, printed: () => printed };
  };
  return { lab, state, run, serve };
}

/** Reads the line that `--json` prints. */
function readStart(printed: string): Record<string, unknown> | undefined {
  return printed.endsWith('\n') ? JSON.parse(printed) : undefined;
}

it('the command of a server: one line for programs, pairing, where the person is, devices, and its end', async () => {
  const { state, run, serve } = await openDesk();
  const { child, done, found } = await serve(readStart, '--json');
  expect(found).toEqual({
    url: `http://127.0.0.1:${found['port']}`,
    port: expect.any(Number),
    api: '/api/sessions',
    pairing: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#pair=[\w-]{22}$/),
  });
  const remote = { port: Number(found['port']), pairingUrl: () => String(found['pairing']) };
  const phone = await pairDevice({ remote });
  expect((await phone('GET', String(found['api']))).status).toBe(200);

  const at = ['--state', state];
  const second = await run('--port', '0', ...at);
  expect([second.code, second.stderr]).toEqual([
    2,
    expect.stringContaining('A remote server of this user is running already'),
  ]);
  const pair = await run('pair', ...at);
  expect(pair.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#pair=[\w-]{22}\n$/);
  expect(pair.stderr).toContain('█');
  await pairDevice({ remote: { ...remote, pairingUrl: () => pair.stdout.trim() } });

  expect((await run('away', ...at)).stderr).toContain('You are away');
  const status = await run('status', ...at);
  expect(status.stdout).toMatch(
    /^You are away: calls wait for a device\. Devices: 2\.\nNo sessions/,
  );
  expect(status.stdout).toContain('Note: Push messages need --public-url');
  expect(JSON.parse((await run('desk', '--json', ...at)).stdout)).toEqual({ isAway: false });
  expect((await phone('GET', '/api/state')).body['isAway']).toBe(false);

  const [first] = (await run('devices', ...at)).stdout.split('\n');
  const [id = '', name] = (first ?? '').split('  ');
  expect([name, first]).toEqual(['phone', expect.stringMatching(/seen \S+ {2}paired until \S+$/)]);
  expect((await run('revoke', 'unknown', ...at)).code).toBe(2);
  expect((await run('revoke', id, ...at)).code).toBe(0);
  expect((await phone('GET', '/api/sessions')).status).toBe(401);

  child.kill('SIGINT');
  expect(await done).toMatchObject({ code: 130, stderr: '' });
  const gone = await run('status', ...at);
  expect([gone.code, gone.stderr]).toEqual([
    2,
    expect.stringContaining(`gemini-cli-provider remote --state ${state}`),
  ]);
});

it('the command of a server shows a person how a phone reaches it, and a QR code only if a phone can', async () => {
  const { serve } = await openDesk();
  const atNote = (printed: string) => /Note: Sessions at the desk/.exec(printed);
  const alone = await serve(atNote);
  for (const text of [
    'tailscale serve --bg',
    'ssh -R',
    '/#pair=',
    'Push messages need --public-url',
  ])
    expect(alone.printed()).toContain(text);
  expect(alone.printed()).not.toContain('█');
  // The tunnel leads to this port: a server that starts again must have the same one.
  expect(alone.printed()).toMatch(/serve --bg (\d+) .*--port \1\n/);
  alone.child.kill('SIGTERM');
  expect(await alone.done).toMatchObject({
    code: 0,
    stderr: 'The server has ended. Sessions in tmux go on.\n',
  });
  const reached = await serve(atNote, '--public-url', 'https://desk.example');
  expect(reached.printed()).toContain('https://desk.example/#pair=');
  expect(reached.printed()).toMatch(
    /^Remote server: https:\/\/desk\.example \(port \d+ of this machine\)/,
  );
  expect(reached.printed()).toContain('█');
  for (const text of ['tailscale', 'Push messages']) expect(reached.printed()).not.toContain(text);
});

it('a server that cannot start says why, and changes nothing', async () => {
  const { run } = await openDesk();
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  const address = await until(() => taken.address() ?? undefined);
  const port = typeof address === 'object' ? address.port : 0;
  const [open, link, file] = ['open', 'link', 'file'].map((name) => join(makeFolder(), name));
  mkdirSync(`${open}`);
  chmodSync(`${open}`, 0o777);
  symlinkSync(makeFolder(), `${link}`);
  writeFileSync(`${file}`, '');
  const attempts: [string, ...string[]][] = [
    [`cannot listen on 127.0.0.1, port ${port}`, '--port', `${port}`],
    ['http://desk.example is not valid', '--public-url', 'http://desk.example'],
    ['https://desk.example/path is not valid', '--public-url', 'https://desk.example/path'],
    ['desk.example is not valid', '--public-url', 'https://me:x@desk.example'],
    ['does not exist, or is no folder', '--root', join(makeFolder(), 'missing')],
    ['without encryption', '--host', '0.0.0.0'],
    ['--tls-cert was given without --tls-key', '--tls-cert', 'x'],
    ['Give one or more of watch, approve, prompt, start', '--rights', 'watch,all'],
    ["unknown command 'statsu'. Commands of remote: run, attach, status", 'statsu'],
    ['network card of this machine', '--host', '192.0.2.1', '--public-url', 'https://desk.example'],
    ['is writable by other users', '--state', `${open}`],
    ['is a symbolic link', '--state', `${link}`],
    ['is not a folder', '--state', `${file}`],
  ];
  const ended = await Promise.all(
    attempts.map(([, ...args]) =>
      run('--port', '0', '--state', join(makeFolder(), 'state'), ...args),
    ),
  );
  for (const [index, [message]] of attempts.entries())
    expect(ended[index]).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  for (const { stderr } of ended) expect(stderr).not.toContain('    at ');
  expect(readdirSync(`${open}`)).toEqual([]);
});

it('a server that was killed loses no device and no session, whatever it has left', async () => {
  const { lab, state, serve } = await openDesk();
  const first = await serve(readStart, '--json');
  const remote = {
    port: Number(first.found['port']),
    pairingUrl: () => String(first.found['pairing']),
  };
  const phone = await pairDevice({ remote });
  const start = { startId: 'start-0001', folder: lab.workspace, prompt: 'a dear prompt' };
  const { body } = await phone('POST', '/api/sessions', start);
  const id = String(body['id']);
  first.child.kill('SIGKILL');
  await first.done;
  expect(existsSync(join(state, 'hooks.sock'))).toBe(true);
  const log = join(state, 'sessions', id, 'log.jsonl');
  // The server was killed while it wrote a line.
  appendFileSync(log, read(log).slice(0, 50));

  const again = await serve(readStart, '--json');
  const reached = { port: Number(again.found['port']) };
  const entries = await send(reached, 'GET', `/api/sessions/${id}/entries`, undefined, phone.token);
  expect([entries.status, JSON.stringify(entries.body)]).toEqual([
    200,
    expect.stringContaining('a dear prompt'),
  ]);
  // A device that did not get the answer sends the start again: nothing is started a second time.
  const repeated = await send(reached, 'POST', '/api/sessions', start, phone.token);
  expect(repeated.body['id']).toBe(id);
  const lines = read(state, 'audit.jsonl').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).action)).toEqual(['pair', 'sessions', 'sessions']);
});

it('the hooks are linked and removed as an extension; settings.json is not touched', async () => {
  const { lab, state, run } = await openDesk();
  const settings = read(lab.home, '.gemini', 'settings.json');
  const installed = await run('install', '--json', '--state', state);
  expect(JSON.parse(installed.stdout)).toEqual({
    folder: join(state, 'extension'),
    isLinked: true,
  });
  expect(read(state, 'extension', 'bridge.sh')).toContain(join(state, 'hooks.sock'));
  expect((await run('uninstall', '--state', state)).stdout).toBe('The hooks are removed.\n');
  expect(existsSync(join(state, 'extension'))).toBe(false);
  // A second time there is nothing to remove, which is no error.
  expect((await run('uninstall', '--state', state)).code).toBe(0);
  expect(read(lab.home, '.gemini', 'settings.json')).toBe(settings);
});
