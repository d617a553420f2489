import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentEvent, ProviderError } from 'gemini-cli-provider';
import { type QueuedOptions, QueuedProvider } from 'gemini-cli-provider/queue';
import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder, read } from '../support.js';
import { createMachine } from './machine.js';
import { openQueueLab } from './queue-lab.js';
import { listStores, type StoreName, startRedis, startStore } from './servers.js';
import { startTcpProxy } from './tcp-proxy.js';

const { stores } = listStores();
const CALLER = join(import.meta.dirname, '..', 'programs', 'queue-caller.mjs');

async function failureOf(promise: Promise<unknown>): Promise<ProviderError> {
  const outcome = await promise.catch((error: unknown) => error);
  if (ProviderError.isInstance(outcome)) return outcome;
  throw new Error(`A ProviderError was expected: ${String(outcome)}`);
}

describe.each(stores)('%s', (store) => {
  test('a caller that is killed and started again attaches to its job, which runs once', async () => {
    const lab = await openQueueLab(store);
    await lab.work();
    const options = { queue: lab.url, name: lab.name, config: { workingDir: lab.workspace } };
    const args = [CALLER, JSON.stringify(options), 'wait=1500 a.txt+=once', 'key-1'];
    const first = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await vi.waitUntil(() => readFileSync(lab.runs, 'utf8') !== '', 20_000);
    first.kill('SIGKILL');
    await once(first, 'exit');
    const context = { idempotencyKey: 'key-1' };
    const again = await lab.connect().generate('wait=1500 a.txt+=once', context);
    expect(again).toMatchObject({ text: 'said wait=1500 a.txt+=once', files: [{ path: 'a.txt' }] });
    // A finished job answers a third time without a run.
    await lab.connect().generate('wait=1500 a.txt+=once', context);
    expect(readFileSync(lab.runs, 'utf8')).toBe('wait=1500 a.txt+=once\n');
    expect(read(lab.workspace, 'a.txt')).toBe('once\n');
  });

  test('a store that restarts during a step delays the step and loses nothing', async () => {
    const server = await startStore(store);
    onTestFinished(server.stop);
    const lab = await openQueueLab(server);
    await lab.work();
    const running = lab.connect().generate('wait=1000 a.txt+=once');
    await vi.waitUntil(() => readFileSync(lab.runs, 'utf8') !== '', 20_000);
    await server.restart();
    expect(await running).toMatchObject({ files: [{ path: 'a.txt' }] });
    expect(read(lab.workspace, 'a.txt')).toBe('once\n');
  });

  test('wrong credentials are refused at once, and no password is in the error', async () => {
    const secret = 'pass-word-of-the-store';
    const server = store === 'redis' ? await startRedis(['--requirepass', 'right']) : undefined;
    if (server !== undefined) onTestFinished(server.stop);
    const lab = await openQueueLab(server ?? store);
    const url = new URL(lab.url);
    url.password = secret;
    const error = await failureOf(lab.connect({ queue: url.href }).generate('x'));
    expect(error).toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining('credentials'),
    });
    expect(JSON.stringify(error)).not.toContain(secret);
    const worker = await failureOf(lab.work({ queue: url.href }));
    expect(worker.code).toBe('INVALID_CONFIG');
    expect(JSON.stringify(worker)).not.toContain(secret);
  });

  test('a store that cannot be written says so', async () => {
    const server = await startStore(store);
    onTestFinished(server.stop);
    const lab = await openQueueLab(server);
    const provider = lab.connect();
    await lab.work();
    await provider.generate('step=first');
    const undo = await makeReadOnly(store, server.url);
    const error = await failureOf(provider.generate('step=second'));
    expect(error.code).toBe('API_UNAVAILABLE');
    expect(error.message).toMatch(/is full|is read-only/);
    await undo();
    expect((await provider.generate('step=third')).text).toBe('said step=third');
  });

  test('without workers a step waits, validate() says why, and a worker that comes later runs it', async () => {
    const lab = await openQueueLab(store);
    const provider = lab.connect();
    expect((await provider.validate()).notes.join('\n')).toMatch(/worker/i);
    const running = provider.generate('a.txt=late');
    expect(await Promise.race([running, sleep(500, 'waits')])).toBe('waits');
    await lab.work();
    expect(await running).toMatchObject({ files: [{ path: 'a.txt' }] });
    const short = lab.connect({ name: `${lab.name}-empty`, waitTimeout: 1 });
    expect((await failureOf(short.generate('x'))).code).toBe('TIMEOUT');
  });

  test('a result of 3 MB comes whole, and its deltas are its text', async () => {
    const lab = await openQueueLab(store);
    await lab.work();
    const events = await collect(lab.connect().stream('text=3000000 deltas=300'));
    const end = events.at(-1);
    expect(end?.type === 'turn-complete' && end.result?.text.length).toBe(3_000_000);
    expect(textOf(events)).toHaveLength(3_000_000);
  });

  test('deltas are the text although events are lost on the way', async () => {
    const lab = await openQueueLab(store);
    const proxy = await startTcpProxy(lab.url);
    onTestFinished(proxy.close);
    await lab.work();
    const provider = lab.connect({ queue: proxy.url });
    const running = collect(provider.stream('ticks=3000'));
    for (let drop = 0; drop < 3; drop++) {
      await sleep(700);
      proxy.drop();
    }
    const events = await running;
    const end = events.at(-1);
    const text = end?.type === 'turn-complete' ? end.result?.text : undefined;
    expect(text).toContain('2999:');
    expect(textOf(events)).toBe(text);
  });

  test('a worker that dies loses its attempt to another one, and the report names it', async () => {
    const lab = await openQueueLab(store);
    const times = { lockTime: 2, checkTime: 1 };
    const options = {
      queue: lab.url,
      name: lab.name,
      workerName: 'first',
      runs: lab.runs,
      ...times,
    };
    const program = join(import.meta.dirname, '..', 'programs', 'queue-worker.mjs');
    const first = spawn(process.execPath, [program, JSON.stringify(options)], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    onTestFinished(() => void first.kill('SIGKILL'));
    const running = lab.connect().generate('wait=1000 a.txt=x');
    await vi.waitUntil(() => readFileSync(lab.runs, 'utf8') !== '', 20_000);
    await lab.work({ workerName: 'second', ...times });
    first.kill('SIGKILL');
    expect((await running).job).toMatchObject({
      worker: 'second',
      attempt: 2,
      lost: [{ attempt: 1, worker: 'first' }],
    });
  });

  test('a worker that was frozen comes back while another one runs its step: its result is refused', async () => {
    const lab = await openQueueLab(store);
    const ground = makeFolder({});
    const work = { queue: lab.url, name: lab.name, runs: lab.runs, lockTime: 2, checkTime: 1 };
    const [frozen, other] = ['frozen', 'other'].map((workerName) =>
      createMachine(
        workerName,
        ground,
        'queue-worker.mjs',
        (folder) => [JSON.stringify({ ...work, workerName, cacheDir: join(folder, 'cache') })],
        lab.name,
      ),
    );
    if (frozen === undefined || other === undefined) throw new Error('Two workers');
    for (const machine of [frozen, other]) onTestFinished(() => machine.kill());
    // Each worker looks for the file in its own folder.
    const running = lab.connect({ workspace: 'ship' }).generate('until=gate a.txt=x');
    const begun = (count: number) => () =>
      readFileSync(lab.runs, 'utf8').split('\n').length > count;
    frozen.start();
    await vi.waitUntil(begun(1), 20_000);
    frozen.freeze();
    other.start();
    await vi.waitUntil(begun(2), 20_000);
    writeFileSync(join(frozen.folder, 'gate'), '');
    frozen.thaw();
    await vi.waitUntil(() => frozen.output.includes('"job-finished"'), 20_000);
    expect(frozen.output).toContain('"outcome":"lost"');
    expect(existsSync(join(lab.workspace, 'a.txt'))).toBe(false);
    writeFileSync(join(other.folder, 'gate'), '');
    expect(await running).toMatchObject({
      job: { worker: 'other', attempt: 2, lost: [{ attempt: 1, worker: 'frozen' }] },
      files: [{ path: 'a.txt' }],
    });
    expect(read(lab.workspace, 'a.txt')).toBe('x\n');
  });
});

const LOCAL_OPTIONS: readonly (readonly [string, QueuedOptions & Record<string, unknown>])[] = [
  ['env', { env: { A: 'b' } }],
  ['cliPath', { cliPath: '/bin/x' }],
  ['onPermission', { onPermission: () => 'allow' }],
];

test.each(LOCAL_OPTIONS)(
  'the option %s does not travel and is refused by name',
  async (name, options) => {
    const lab = await openQueueLab('postgres');
    const error = await failureOf(lab.connect().generate('x', {}, options));
    expect(error.code).toBe('INVALID_CONFIG');
    expect(JSON.stringify(error)).toContain(name);
  },
);

test('a URL of another kind is refused before anything is connected', () => {
  expect(() => new QueuedProvider({ queue: 'http://127.0.0.1/' })).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG' }),
  );
});

async function collect(stream: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

function textOf(events: readonly AgentEvent[]): string {
  return events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
}

/** Makes a store refuse writes: Redis by its limit of memory, PostgreSQL by the mode of its transactions. */
async function makeReadOnly(store: StoreName, url: string): Promise<() => Promise<void>> {
  if (store === 'redis') {
    const redis = new Redis(url);
    await redis.config('SET', 'maxmemory', '1');
    return async () => {
      await redis.config('SET', 'maxmemory', '0');
      redis.disconnect();
    };
  }
  const set = async (value: string): Promise<void> => {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(`alter system set default_transaction_read_only = ${value}`);
    await client.query('select pg_reload_conf()');
    await client.end();
    // The server reads its settings again at some later moment.
    await vi.waitUntil(() => showReadOnly(url).then((shown) => shown === value), 30_000);
  };
  await set('on');
  return () => set('off');
}

/** A connection that is opened now has the settings that the server has read last. */
async function showReadOnly(url: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query('show default_transaction_read_only');
  await client.end();
  return rows[0]?.default_transaction_read_only;
}
