import { describe, expect, it } from 'vitest';
import {
  acceptListOptions,
  acceptPath,
  acceptWanted,
  acceptWatchOptions,
} from '../../src/sessions/session-input.js';

const refused = (message: string) =>
  expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining(message) });

describe('the options of the session functions', () => {
  it('are returned if they are valid', () => {
    const { signal } = new AbortController();
    expect(acceptListOptions({ limit: Number.POSITIVE_INFINITY, counts: 'exact' })).toEqual({
      limit: Number.POSITIVE_INFINITY,
      counts: 'exact',
    });
    expect(acceptWatchOptions({ signal, extras: 'mark', pollIntervalMs: 0 }).signal).toBe(signal);
  });

  it.each([
    [null, 'options must be an object, not null'],
    [{ projectDir: 5 }, 'projectDir must be a path'],
    [{ projectDir: 'a\0b' }, 'projectDir must not contain a NUL character'],
    [{ geminiHome: 'x'.repeat(9_000_000) }, 'geminiHome is too long for a path'],
    [
      { limit: Number.NaN, counts: 'all' },
      'limit must be a number; counts must be "auto" or "exact"',
    ],
    [{ limt: 1 }, 'the object has the unknown key "limt". Did you mean "limit"?'],
    [
      { projectPath: '.' },
      'the object has the unknown key "projectPath". Known keys: projectDir, geminiHome,',
    ],
  ])('are refused if they are wrong (%#) (claim: input-validated)', (options, message) => {
    expect(() => acceptListOptions(options)).toThrow(refused(message));
  });

  it('of a watch may not be something like a signal, or a time that no timer has', () => {
    expect(() => acceptWatchOptions({ signal: { aborted: false } })).toThrow(
      refused('AbortSignal'),
    );
    expect(() => acceptWatchOptions({ pollIntervalMs: 2 ** 40 })).toThrow(refused('at most'));
  });
});

it('a session and a path are texts of a bounded length', () => {
  expect([acceptWanted('latest'), acceptWanted(3), acceptPath('path', 'a')]).toEqual([
    'latest',
    3,
    'a',
  ]);
  for (const wanted of [undefined, {}, 1n, 'x'.repeat(100_000)]) {
    expect(() => acceptWanted(wanted)).toThrow(refused('session must be'));
  }
  for (const path of ['', 5, 'x'.repeat(100_000)]) {
    expect(() => acceptPath('path', path)).toThrow(refused('path must be a path'));
  }
});
