import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startRemote } from 'gemini-cli-provider/remote';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../support.js';
import { nextRequest, openRemoteLab, pairDevice, until } from './remote-lab.js';

/** Mounts a small disk for one test. Returns a folder on it, and a function that fills the disk and one that frees it. */
function mountSmallDisk() {
  const disk = makeFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'small-disk', disk]);
  onTestFinished(() => void execFileSync('umount', ['-l', disk]));
  const state = join(disk, 'state');
  mkdirSync(state, { mode: 0o700 });
  const filler = join(disk, 'filler');
  const fill = (): void => {
    const page = 'x'.repeat(4_096);
    for (;;) {
      try {
        appendFileSync(filler, page);
      } catch {
        return;
      }
    }
  };
  return { state, fill, free: () => rmSync(filler) };
}

it('an answer that the disk does not take is not given to the agent: the device is told, and answers again', async () => {
  const { state, fill, free } = mountSmallDisk();
  const write = { name: 'write_file', args: { file_path: 'a.txt', content: 'a' } };
  const turns = [{ toolCalls: [write] }, { text: 'Written.' }];
  const script = [{ prompt: 'write it', turns }, { turns: [{ text: 'More.' }] }];
  const lab = await openRemoteLab(script, { state });
  const device = await pairDevice(lab);
  const start = { startId: 'start-0001', folder: lab.root, prompt: 'write it' };
  const id = String((await device('POST', '/api/sessions', start)).body['id']);
  const request = await nextRequest(lab);
  const asked = lab.model.requests.length;

  fill();
  // The line of the answer is longer than what is left of the last block, so a part of it is written.
  const reason = 'no '.repeat(1_300);
  const refused = await device('POST', `/api/requests/${request.id}`, { type: 'deny', reason });
  expect(refused).toMatchObject({
    status: 503,
    body: { message: 'The server cannot store it: ENOSPC: no space left on device' },
  });
  expect(lab.remote.control.requests().map((open) => open.id)).toEqual([request.id]);
  const prompt = { promptId: 'prompt-0001', text: 'and more '.repeat(1_000) };
  const kept = await device('POST', `/api/sessions/${id}/prompt`, prompt);
  expect([kept.status, kept.body['message']]).toEqual([
    503,
    expect.stringContaining('The prompt is queued, but it cannot be stored'),
  ]);
  expect([lab.model.requests.length, existsSync(join(lab.root, 'a.txt'))]).toEqual([asked, false]);

  free();
  const allow = { type: 'allow', inputHash: request.inputHash };
  expect((await device('POST', `/api/requests/${request.id}`, allow)).status).toBe(200);
  await until(() => existsSync(join(lab.root, 'a.txt')));
  await until(() => lab.remote.control.list()[0]?.state === 'ready');
  await lab.remote.close();

  await using again = await startRemote({ state, roots: [lab.root], config: lab.config });
  const contents = (await again.control.entries(id)).map(({ content }) => content);
  const steps = contents.flatMap((content) => {
    if (content.type === 'decision') return [content.decision?.type];
    return content.type === 'request' ? ['asked'] : [];
  });
  // What the log shows ends with the answer that the agent got.
  expect(steps).toEqual(['asked', 'deny', 'asked', 'allow']);
  expect(contents).toContainEqual(expect.objectContaining({ ...prompt, status: 'answered' }));
});
