import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SessionUpdate, WatchOptions } from '../../../src/api/session-update.js';
import { readSession } from '../../../src/sessions/files/read-session.js';
import { toUnifiedMessages } from '../../../src/sessions/messages/to-unified-messages.js';
import { watchSession } from '../../../src/sessions/watch/watch-session.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { failureOf, until } from '../../fixtures/cli/support.js';
import { ANSWER, fixtures, HEADER, lines, QUESTION, sessionFile } from '../files/session-text.js';
import { APP, chat, PROJECTS, record } from '../list/gemini-home.js';

/** Watches in the background until the test is over. */
function watch(wanted: string | number, options: WatchOptions = {}) {
  const controller = new AbortController();
  const updates: SessionUpdate[] = [];
  const { signal } = controller;
  const over = (async () => {
    const quick = { pollIntervalMs: 20, debounceMs: 1 };
    for await (const update of watchSession(wanted, { ...quick, signal, ...options })) {
      updates.push(update);
    }
  })();
  const stop = async () => {
    controller.abort();
    await over;
  };
  onTestFinished(stop);
  const reported = () => updates.map(toWord);
  return {
    updates,
    reported,
    stop,
    over,
    /** Waits until an update is reported. */
    waitsFor: (word: string) => until(() => reported().includes(word)),
  };
}

function toWord(update: SessionUpdate): string {
  switch (update.type) {
    case 'message': {
      const texts = update.message.content.map((block) =>
        block.type === 'text' ? block.text : '',
      );
      return `${update.change} ${update.message.id} ${texts.join('')}`;
    }
    case 'removed':
      return `removed ${update.ids.join()}`;
    case 'problem':
      return `problem ${update.diagnostic.kind}`;
    default:
      return update.type;
  }
}

function message(id: string, content = id): object {
  return { id, type: 'user', content };
}

function object(...messages: readonly object[]): string {
  return JSON.stringify({ ...HEADER, messages }, null, 2);
}

describe('watching a session that is being written', () => {
  it('reports the existing messages, then each new one', async () => {
    const file = sessionFile(lines(HEADER, QUESTION));
    const { waitsFor, reported } = watch(file);
    await waitsFor('new q question');
    appendFileSync(file, lines(ANSWER));
    await waitsFor('new a answer');
    appendFileSync(file, lines({ ...ANSWER, content: 'better' }));
    await waitsFor('changed a better');
    appendFileSync(file, lines({ $rewindTo: 'a' }));
    await waitsFor('removed a');
    appendFileSync(file, lines('garbage', message('last')));
    await waitsFor('new last last');
    expect(reported()).toEqual([
      'new q question',
      'new a answer',
      'changed a better',
      'removed a',
      'problem garbage',
      'new last last',
    ]);
  });

  it('reports the same for the older generation', async () => {
    const file = sessionFile(object(QUESTION), 'session.json');
    const { waitsFor, reported } = watch(file);
    await waitsFor('new q question');
    writeFileSync(file, object(QUESTION, ANSWER));
    await waitsFor('new a answer');
    writeFileSync(file, object(QUESTION, { ...ANSWER, content: 'better' }));
    await waitsFor('changed a better');
    writeFileSync(file, object(message('last')));
    await waitsFor('new last last');
    expect(reported()).toEqual([
      'new q question',
      'new a answer',
      'changed a better',
      'removed q,a',
      'new last last',
    ]);
  });

  it.each([
    ['headless_write_replace_shell.jsonl', 'omit'],
    ['headless_resumed_same_minute.jsonl', 'omit'],
    ['headless_resumed_hook.jsonl', 'mark'],
    ['acp_tools.jsonl', 'mark'],
  ] as const)('ends up with what a reader sees: %s', async (name, extras) => {
    const [first, ...rest] = readFileSync(join(fixtures, name), 'utf8').trimEnd().split('\n');
    const file = sessionFile(`${first}\n`);
    const { updates, waitsFor } = watch(file, { extras });
    for (const line of rest) {
      // Write each line in two halves, as on a slow disk.
      const half = Math.floor(line.length / 2);
      appendFileSync(file, line.slice(0, half));
      await new Promise((resolve) => setTimeout(resolve, 5));
      appendFileSync(file, `${line.slice(half)}\n`);
    }
    appendFileSync(file, lines(message('last')));
    await waitsFor('new last last');
    const known = new Map<string, unknown>();
    for (const update of updates) {
      if (update.type === 'message') known.set(update.message.id, update.message);
      if (update.type === 'removed') for (const id of update.ids) known.delete(id);
    }
    const seen = toUnifiedMessages(await readSession(file), { extras });
    expect(known).toEqual(new Map(seen.map((one) => [one.id, one])));
  });

  it('reports only new messages with skipExisting', async () => {
    const file = sessionFile(lines(HEADER, QUESTION, 'garbage'));
    const { waitsFor, reported } = watch(file, { skipExisting: true });
    // Write repeatedly, because the start of the watch cannot be seen.
    let count = 0;
    await until(() => {
      appendFileSync(file, lines({ ...QUESTION, content: `${count++}` }));
      return reported().length > 0;
    });
    appendFileSync(file, lines(message('last')));
    await waitsFor('new last last');
    expect(reported().filter((word) => !word.startsWith('changed q'))).toEqual(['new last last']);
  });

  it('reports only new messages with skipExisting, even if the file was half written', async () => {
    const old = [message('one'), message('two'), message('three')];
    const file = sessionFile(object(...old).slice(0, -30), 'session.json');
    const { reported } = watch(file, { skipExisting: true });
    await new Promise((resolve) => setTimeout(resolve, 100));
    let count = 0;
    while (reported().length === 0) {
      writeFileSync(file, object(...old, message(`new ${count++}`)));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(reported().join()).not.toMatch(/one|two|three/);
  });

  it('reports the status of the session', async () => {
    const file = sessionFile(lines(HEADER));
    const { updates, waitsFor } = watch(file);
    const tokens = { input: 100, output: 10, cached: 0, thoughts: 0, tool: 0, total: 110 };
    const thoughts = [{ subject: 'Plan', description: 'x' }];
    appendFileSync(file, lines({ ...ANSWER, model: 'pro', tokens, thoughts }));
    await waitsFor('status');
    expect(updates.at(-1)).toEqual({
      type: 'status',
      model: 'pro',
      tokens: { total: 110, input: 100, output: 10, cached: 0, thoughts: 0, tool: 0 },
      contextTokens: 100,
      thinking: 'Plan',
    });
    appendFileSync(file, lines({ $set: { summary: 'Planning' } }));
    await until(() => updates.length === 3);
    expect(updates.at(-1)).toMatchObject({ type: 'status', summary: 'Planning', model: 'pro' });
  });

  it('accepts an id, a number and latest', async () => {
    const geminiHome = makeTree({ ...PROJECTS, [chat('12345678-x')]: record('12345678-x') });
    for (const wanted of ['12345678-x', '12345678', 1, 'latest']) {
      const { waitsFor } = watch(wanted, { geminiHome, projectDir: APP });
      await waitsFor('new prompt prompt of 12345678-x');
    }
  });

  it('throws for an unknown session', async () => {
    const watching = watchSession('nobody-knows', { geminiHome: makeTree() });
    expect(await failureOf(() => watching.next())).toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('watching a session file that is incomplete for a moment', () => {
  it('reports a message when its line is complete', async () => {
    const file = sessionFile(lines(HEADER, message('first')));
    const { waitsFor, reported } = watch(file);
    await waitsFor('new first first');
    const line = lines(message('second'));
    appendFileSync(file, line.slice(0, 20));
    await new Promise((resolve) => setTimeout(resolve, 60));
    appendFileSync(file, line.slice(20));
    await waitsFor('new second second');
    expect(reported()).toEqual(['new first first', 'new second second']);
  });

  it('reports a message when the object is complete', async () => {
    const file = sessionFile(object(message('first'), message('second')), 'session.json');
    const { waitsFor, reported } = watch(file, { pollIntervalMs: 500 });
    await waitsFor('new second second');
    const whole = object(message('first'), message('second'), message('third'));
    writeFileSync(file, whole.slice(0, 60));
    await new Promise((resolve) => setTimeout(resolve, 60));
    appendFileSync(file, whole.slice(60));
    await waitsFor('new third third');
    expect(reported()).toEqual(['new first first', 'new second second', 'new third third']);
  });
});

describe('watching a session file that comes and goes', () => {
  it.each([
    ['is not there yet', 'session.jsonl'],
    ['has no folder yet', 'a/b/c/session.jsonl'],
  ])('waits for a file that %s', async (_what, name) => {
    const file = join(makeTree(), name);
    const { waitsFor, reported } = watch(file);
    await new Promise((resolve) => setTimeout(resolve, 50));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, lines(HEADER, message('first')));
    await waitsFor('new first first');
    appendFileSync(file, lines(message('second')));
    await waitsFor('new second second');
    expect(reported()).toEqual(['new first first', 'new second second']);
  });

  it.each([
    ['session.jsonl', lines(HEADER, message('first'))],
    ['session.json', object(message('first'))],
  ])('reports a removed file as gone and follows it when it returns: %s', async (name, text) => {
    const file = sessionFile(text, name);
    const { waitsFor, reported } = watch(file);
    await waitsFor('new first first');
    rmSync(file);
    await waitsFor('gone');
    await new Promise((resolve) => setTimeout(resolve, 50));
    writeFileSync(
      file,
      name.endsWith('l') ? lines(HEADER, message('second')) : object(message('second')),
    );
    await waitsFor('new second second');
    expect(reported()).toEqual(['new first first', 'gone', 'removed first', 'new second second']);
  });

  it('follows a file whose folder was created again', async () => {
    const file = sessionFile(lines(HEADER, message('first')));
    const { waitsFor } = watch(file);
    await waitsFor('new first first');
    rmSync(dirname(file), { recursive: true });
    await waitsFor('gone');
    mkdirSync(dirname(file));
    writeFileSync(file, lines(HEADER, message('second')));
    await waitsFor('new second second');
  });

  it('follows a file that was replaced', async () => {
    const file = sessionFile(lines(HEADER, message('first')));
    const { waitsFor, reported } = watch(file);
    await waitsFor('new first first');
    writeFileSync(`${file}.tmp`, lines(HEADER, message('first'), message('second')));
    renameSync(`${file}.tmp`, file);
    await waitsFor('new second second');
    appendFileSync(file, lines(message('third')));
    await waitsFor('new third third');
    expect(reported()).toEqual(['new first first', 'new second second', 'new third third']);
  });

  it('reports removed messages after a cut', async () => {
    const file = sessionFile(lines(HEADER, message('first'), message('second')));
    const { waitsFor, reported } = watch(file);
    await waitsFor('new second second');
    truncateSync(file, lines(HEADER, message('first')).length);
    await waitsFor('removed second');
    appendFileSync(file, lines(message('third')));
    await waitsFor('new third third');
    expect(reported().slice(2)).toEqual(['removed second', 'new third third']);
  });

  it.each([
    ['the same size', message('third')],
    ['a larger size', message('third', 'much longer than the one before')],
  ])('reads a file again that is rewritten in place with %s', async (_how, third) => {
    const file = sessionFile(lines(HEADER, message('first'), message('other')));
    const { waitsFor, reported } = watch(file);
    await waitsFor('new other other');
    const fd = openSync(file, 'r+');
    writeSync(fd, lines(HEADER, message('first'), third), 0);
    closeSync(fd);
    await until(() => reported().some((word) => word.startsWith('new third')));
    expect(reported().slice(2, 3)).toEqual(['removed other']);
  });
});

describe('watching a session', () => {
  function watchers(): number {
    return process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
  }

  it('ends at once at an abort and leaves nothing open', async () => {
    await until(() => watchers() === 0);
    const file = sessionFile(lines(HEADER, message('first')));
    const { stop } = watch(file, { pollIntervalMs: 1_000_000 });
    await until(() => watchers() === 1);
    await stop();
    await until(() => watchers() === 0);
  });

  it('ends when the loop is left and leaves nothing open', async () => {
    await until(() => watchers() === 0);
    const file = sessionFile(lines(HEADER, message('first')));
    for await (const update of watchSession(file, { pollIntervalMs: 1_000_000 })) {
      if (toWord(update) === 'new second second') break;
      setTimeout(() => appendFileSync(file, lines(message('second'))), 50);
    }
    await until(() => watchers() === 0);
  });

  it('ends at an abort between two updates', async () => {
    const file = sessionFile(lines(HEADER, message('first'), message('second'), message('third')));
    const controller = new AbortController();
    const reported: string[] = [];
    for await (const update of watchSession(file, { signal: controller.signal })) {
      reported.push(toWord(update));
      controller.abort();
    }
    expect(reported).toEqual(['new first first']);
  });

  it('ends at once if the signal is already aborted', async () => {
    const file = sessionFile(lines(HEADER, QUESTION));
    const watching = watchSession(file, { signal: AbortSignal.abort() });
    expect(await watching.next()).toEqual({ done: true, value: undefined });
  });
});

describe('a watch', () => {
  it.each(['/dev/zero', '.'])(
    'of %s, which is no regular file, is refused at once',
    async (path) => {
      const updates = watchSession(resolve(path, '.'));
      expect(await failureOf(() => updates.next())).toMatchObject({ code: 'INVALID_INPUT' });
    },
  );

  it('reports every message to each of fifty watches', async () => {
    const file = sessionFile(lines(HEADER));
    const watches = Array.from({ length: 50 }, () => watch(file));
    const ids = Array.from({ length: 200 }, (_, index) => `m${index}`);
    for (const [index, id] of ids.entries()) {
      appendFileSync(file, lines(message(id)));
      if (index % 20 === 0) await new Promise((done) => setTimeout(done, 1));
    }
    for (const { waitsFor } of watches) await waitsFor('new m199 m199');
    const wanted = ids.map((id) => `new ${id} ${id}`);
    for (const { reported } of watches) expect(reported()).toEqual(wanted);
  });

  it('shares the signal of the caller with many others without a warning', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const controller = new AbortController();
    const file = sessionFile(lines(HEADER, QUESTION));
    const watches = Array.from({ length: 50 }, () => watch(file, { signal: controller.signal }));
    for (const { waitsFor } of watches) await waitsFor('new q question');
    controller.abort();
    await Promise.all(watches.map(({ over }) => over));
    await new Promise((done) => setImmediate(done));
    expect(warnings).toEqual([]);
  });
});
