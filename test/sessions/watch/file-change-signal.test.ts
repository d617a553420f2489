import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FileChangeSignal } from '../../../src/sessions/watch/file-change-signal.js';
import { makeTree } from '../../base/fs/make-tree.js';

/** So long that a test would never see the end of it. */
const NEVER_MS = 1_000_000;

function hang(
  file: string,
  options: Partial<ConstructorParameters<typeof FileChangeSignal>[1]> = {},
) {
  const controller = new AbortController();
  const bell = new FileChangeSignal(file, {
    signal: controller.signal,
    pollIntervalMs: NEVER_MS,
    debounceMs: 1,
    ...options,
  });
  onTestFinished(() => {
    controller.abort();
    bell.close();
  });
  return { bell, abort: () => controller.abort() };
}

/** Writes until the bell has rung: the system may begin to listen a moment later than it says. */
async function writeUntil(rung: Promise<void>, write: () => void): Promise<void> {
  const timer = setInterval(write, 10);
  await rung;
  clearInterval(timer);
}

describe('the bell of a file', () => {
  it('rings when the file is written', async () => {
    const file = join(makeTree({ 'a.jsonl': '' }), 'a.jsonl');
    const { bell } = hang(file);
    await writeUntil(bell.next(), () => writeFileSync(file, 'x'));
    await writeUntil(bell.next(), () => writeFileSync(file, 'y'));
  });

  it('rings when the file comes into being', async () => {
    const file = join(makeTree(), 'a.jsonl');
    const { bell } = hang(file);
    await writeUntil(bell.next(), () => {
      rmSync(file, { force: true });
      writeFileSync(file, 'x');
    });
  });

  it('rings for what was written while nobody listened', async () => {
    const file = join(makeTree({ 'a.jsonl': '' }), 'a.jsonl');
    const { bell } = hang(file);
    await writeUntil(bell.next(), () => writeFileSync(file, 'x'));
    writeFileSync(file, 'y');
    await bell.next();
  });

  it('does not ring for another file', async () => {
    const folder = makeTree({ 'a.jsonl': '', 'b.jsonl': '' });
    const { bell, abort } = hang(join(folder, 'a.jsonl'));
    let rings = 0;
    const rung = bell.next().then(() => rings++);
    for (let count = 0; count < 10; count++) {
      writeFileSync(join(folder, 'b.jsonl'), `${count}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(rings).toBe(0);
    abort();
    await rung;
  });

  it('rings now and then where the system says nothing', async () => {
    const { bell } = hang(join(makeTree(), 'no folder', 'a.jsonl'), { pollIntervalMs: 5 });
    await bell.next();
    await bell.next();
  });

  it('listens to a folder that was made again', async () => {
    const folder = join(makeTree({ 'chats/a.jsonl': '' }), 'chats');
    const file = join(folder, 'a.jsonl');
    const { bell } = hang(file);
    await writeUntil(bell.next(), () => writeFileSync(file, 'x'));
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    bell.renew();
    await writeUntil(bell.next(), () => writeFileSync(file, 'x'));
  });

  it('rings at once where it is over, and from then on', async () => {
    const { bell, abort } = hang(join(makeTree(), 'a.jsonl'));
    const waiting = bell.next();
    abort();
    await waiting;
    await bell.next();
  });
});
