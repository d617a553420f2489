import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addQueueCommand } from '../../../src/cli/queue/queue.js';
import { runCommandHere } from '../../fixtures/cli/in-process.js';
import {
  errorOf,
  openQueueLab,
  type QueueLab,
  untilJob,
  untilRunning,
} from '../../queue/queue-lab.js';

/** Returns a function that runs `queue` on the queue of the lab. */
function commandsOf({ connection }: Pick<QueueLab, 'connection'>) {
  return async (...args: readonly string[]) => {
    process.env['GEMINI_CLI_PROVIDER_QUEUE'] = connection.queue;
    try {
      const words = ['queue', ...args, '--queue-name', connection.name];
      return await runCommandHere(addQueueCommand, words, { NO_COLOR: '1' });
    } finally {
      delete process.env['GEMINI_CLI_PROVIDER_QUEUE'];
    }
  };
}

it('lists the jobs that the filters leave, the newest first', async () => {
  const lab = await openQueueLab();
  const run = commandsOf(lab);
  expect(await run('list')).toMatchObject({ code: 0, stdout: 'The queue has no such jobs.\n' });
  const queue = lab.open();
  const first = await queue.enqueue('say one');
  const second = await queue.enqueue('say two', {}, { labels: ['big', 'gpu'] });
  const idsOf = async (...flags: readonly string[]) => {
    const { stdout } = await run('list', '--json', ...flags);
    const jobs: { id: string }[] = JSON.parse(stdout);
    return jobs.map(({ id }) => id);
  };
  expect(await idsOf()).toEqual([second.id, first.id]);
  expect(await idsOf('--limit', '1')).toEqual([second.id]);
  expect(await idsOf('--labels', 'gpu,big')).toEqual([second.id]);
  expect(await idsOf('--labels', 'gpu', '--labels', 'cpu')).toEqual([]);
  expect(await idsOf('--state', 'active')).toEqual([]);
  expect(await idsOf('--worker', 'w')).toEqual([]);
  expect(await idsOf('--older-than', '1h')).toEqual([]);
  const { stdout } = await run('list');
  expect(stdout.trimEnd().split('\n')).toHaveLength(2);
  expect(stdout).toMatch(/waiting +say two/);
});

it('describes the queue and single jobs, by the beginning of an id', async () => {
  const lab = await openQueueLab();
  const run = commandsOf(lab);
  const queue = lab.open();
  const { id } = await queue.enqueue('say one');
  expect((await run('status')).stdout).toContain('Jobs: 1 waiting · 0 active');
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({
    name: lab.connection.name,
    counts: { waiting: 1 },
  });
  const one = await run('show', id.slice(0, 8), '--json');
  expect(JSON.parse(one.stdout)).toMatchObject({ id, prompt: 'say one' });
  const other = await queue.enqueue('say two');
  const both = await run('show', id, other.id, id, '--json');
  expect(JSON.parse(both.stdout)).toMatchObject([{ id }, { id: other.id }]);
  expect((await run('show', id)).stdout).toContain('say one');
  const none = await run('show', 'zzz');
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('The queue has no job "zzz"');
});

it('cancels waiting and running jobs, and says which had ended before', async () => {
  const lab = await openQueueLab();
  const worker = await lab.work({ workerName: 'w', concurrency: 1 });
  const run = commandsOf(lab);
  const queue = lab.open();
  const ended = await queue.enqueue('say one');
  await untilJob(queue, ended.id, 'completed');
  const running = await queue.enqueue('step=1 wait=60000');
  await untilRunning(worker);
  await untilJob(queue, running.id, 'active');
  const waiting = await queue.enqueue('say two');
  const ids = [ended.id, running.id, waiting.id];
  const { stdout, code } = await run('cancel', ...ids, '--reason', 'wrong branch');
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n')).toEqual([
    `! ${ended.id} had ended before`,
    `✓ ${running.id} is cancelled: it ends on w`,
    `✓ ${waiting.id} is cancelled: it is removed`,
  ]);
  expect((await errorOf(queue.result(running.id))).message).toContain('wrong branch');
  const again = await run('cancel', ended.id, '--json');
  expect(JSON.parse(again.stdout)).toEqual({ cancelled: [], endedBefore: [ended.id] });
});

it('tries failed jobs again: those that are named, or all with a code', async () => {
  const lab = await openQueueLab();
  await lab.work();
  const run = commandsOf(lab);
  const queue = lab.open();
  const jobs: string[] = [];
  for (const code of ['API_REQUEST', 'TOOL_FAILED']) {
    const { id } = await queue.enqueue(`fail=${code} once ${lab.connection.name}`);
    await untilJob(queue, id, 'failed');
    jobs.push(id);
  }
  const [refused = '', broken = ''] = jobs;
  for (const flags of [[], ['--all', refused], ['--code', 'API_REQUEST', refused]])
    expect((await run('retry', ...flags)).stderr).toContain('Either ids of jobs or --all');
  const all = await run('retry', '--all', '--code', 'TOOL_FAILED');
  expect(all.stdout).toBe('Put 1 failed job on the queue again.\n');
  await untilJob(queue, broken, 'completed');
  expect((await queue.show(refused)).state).toBe('failed');
  const named = await run('retry', refused);
  expect(named.stdout).toBe(`✓ ${refused} is on the queue again\n`);
  await untilJob(queue, refused, 'completed');
  const nothing = await run('retry', '--all', '--json');
  expect(JSON.parse(nothing.stdout)).toEqual({ retried: [] });
});

it('waits for the end of a job, prints its answer, and makes its changes where it is told', async () => {
  const lab = await openQueueLab();
  const run = commandsOf(lab);
  const queue = lab.open({ workspace: 'ship' });
  const { id } = await queue.enqueue('new.txt=made');
  await lab.work();
  const answer = await run('result', id);
  expect(answer).toMatchObject({ code: 0, stderr: '' });
  expect(answer.stdout).toBe(
    'said new.txt=made\n1 file in the manifest. --apply-to DIR makes the changes of a shipped folder\n',
  );
  expect(existsSync(join(lab.workspace, 'new.txt'))).toBe(false);
  const small = await run('result', id, '--apply-to', lab.workspace, '--max-changes', '1');
  expect(small.code).toBe(2);
  expect(small.stderr).toContain('raise `--max-changes` on both sides of the queue');
  const applied = await run('result', id.slice(0, 8), '--apply-to', lab.workspace);
  expect(applied.stdout).toBe('said new.txt=made\n✓ created new.txt\n');
  expect(readFileSync(join(lab.workspace, 'new.txt'), 'utf8')).toBe('made\n');
  const again = await run('result', id, '--apply-to', lab.workspace, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ files: [{ path: 'new.txt', confirmed: true }] });
  const nowhere = await run('result', id, '--apply-to', join(lab.workspace, 'none'));
  expect(nowhere.code).toBe(2);
  expect(nowhere.stderr).toContain('does not exist');
});

it('removes jobs, and ends a pause', async () => {
  const lab = await openQueueLab();
  const run = commandsOf(lab);
  const queue = lab.open();
  await queue.enqueue('fail=QUOTA_EXHAUSTED');
  const worker = await lab.work({ maxRateLimits: 0 });
  await expect.poll(async () => (await queue.status()).pause?.code).toBe('QUOTA_EXHAUSTED');
  expect((await run('resume')).stdout).toBe('The pause is over.\n');
  expect((await run('resume')).stdout).toBe('The queue was not paused.\n');
  expect(JSON.parse((await run('resume', '--json')).stdout)).toEqual({ pause: null });
  await worker.close();
  await queue.enqueue('say two');
  expect((await run('drain')).stdout).toBe('Removed 1 waiting job.\n');
  expect((await run('clean', '--older-than', '30m')).stdout).toBe('Removed 0 ended jobs.\n');
  expect((await run('clean', '--keep', '1')).stdout).toBe('Removed 0 ended jobs.\n');
  expect(JSON.parse((await run('clean', '--json')).stdout)).toEqual({ removed: 1 });
});

it('refuses flags that are none', async () => {
  const run = commandsOf({ connection: { queue: 'redis://127.0.0.1:1', name: 'q' } });
  const wrong = [
    [['list', '--older-than', '7'], 'Give an age such as 30m, 12h or 7d.'],
    [['list', '--older-than', 'xs'], 'Give an age such as 30m, 12h or 7d.'],
    [['list', '--limit', '-1'], 'Give a whole number.'],
    [['list', '--state', 'lost'], 'Allowed choices are waiting, active'],
    [['show'], "missing required argument 'id'"],
    [['status', '--connect-timeout', 'soon'], '--connect-timeout'],
  ] as const;
  for (const [args, problem] of wrong) expect((await run(...args)).stderr).toContain(problem);
});

it('tells of a store that does not answer, and hides the password of the URL', async () => {
  const url = 'postgres://user:the-password@127.0.0.1:1/steps';
  const run = commandsOf({ connection: { queue: url, name: 'q' } });
  const { code, stderr } = await run('status', '--connect-timeout', '200ms');
  expect(code).toBe(5);
  expect(stderr).toContain('Waiting: ');
  expect(stderr).toContain('postgres://127.0.0.1:1/steps cannot be reached');
  expect(stderr).not.toContain('the-password');
  const json = await run('status', '--connect-timeout', '200ms', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, error: { code: 'NETWORK' } });
});
