import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FileChangeSignal } from '../../../src/sessions/watch/file-change-signal.js';
import { makeTree } from '../../base/fs/make-tree.js';

/** Longer than any test. */
const NEVER_MS = 1_000_000;

function watchFile(
  file: string,
  options: Partial<ConstructorParameters<typeof FileChangeSignal>[1]> = {},
) {
  const controller = new AbortController();
  const changes = new FileChangeSignal(file, {
    signal: controller.signal,
    pollIntervalMs: NEVER_MS,
    debounceMs: 1,
    ...options,
  });
  onTestFinished(() => {
    controller.abort();
    changes.close();
  });
  return { changes, abort: () => controller.abort() };
}

/** Writes until the change is signalled: the system may start to watch a moment later than reported. */
async function writeUntil(signalled: Promise<void>, write: () => void): Promise<void> {
  const timer = setInterval(write, 10);
  await signalled;
  clearInterval(timer);
}

describe('FileChangeSignal', () => {
  it('signals when the file is written', async () => {
    const file = join(makeTree({ 'a.jsonl': '' }), 'a.jsonl');
    const { changes } = watchFile(file);
    await writeUntil(changes.next(), () => writeFileSync(file, 'x'));
    await writeUntil(changes.next(), () => writeFileSync(file, 'y'));
  });

  it('signals when the file is created', async () => {
    const file = join(makeTree(), 'a.jsonl');
    const { changes } = watchFile(file);
    await writeUntil(changes.next(), () => {
      rmSync(file, { force: true });
      writeFileSync(file, 'x');
    });
  });

  it('signals a write between two waits', async () => {
    const file = join(makeTree({ 'a.jsonl': '' }), 'a.jsonl');
    const { changes } = watchFile(file);
    await writeUntil(changes.next(), () => writeFileSync(file, 'x'));
    writeFileSync(file, 'y');
    await changes.next();
  });

  it('does not signal writes to another file', async () => {
    const folder = makeTree({ 'a.jsonl': '', 'b.jsonl': '' });
    const { changes, abort } = watchFile(join(folder, 'a.jsonl'));
    let signals = 0;
    const signalled = changes.next().then(() => signals++);
    for (let count = 0; count < 10; count++) {
      writeFileSync(join(folder, 'b.jsonl'), `${count}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(signals).toBe(0);
    abort();
    await signalled;
  });

  it('signals after each poll interval without notifications', async () => {
    const { changes } = watchFile(join(makeTree(), 'no folder', 'a.jsonl'), { pollIntervalMs: 5 });
    await changes.next();
    await changes.next();
  });

  it('watches a folder that was created again', async () => {
    const folder = join(makeTree({ 'chats/a.jsonl': '' }), 'chats');
    const file = join(folder, 'a.jsonl');
    const { changes } = watchFile(file);
    await writeUntil(changes.next(), () => writeFileSync(file, 'x'));
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    changes.renew();
    await writeUntil(changes.next(), () => writeFileSync(file, 'x'));
  });

  it('signals at once after an abort', async () => {
    const { changes, abort } = watchFile(join(makeTree(), 'a.jsonl'));
    const waiting = changes.next();
    abort();
    await waiting;
    await changes.next();
  });
});
