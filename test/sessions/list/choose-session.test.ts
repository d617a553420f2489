import { describe, expect, it } from 'vitest';
import { chooseById, chooseByNumber, isNumber } from '../../../src/sessions/list/choose-session.js';
import type { FoundSession } from '../../../src/sessions/list/numbered-sessions.js';
import { timeAt } from './gemini-home.js';

function session(sessionId: string, at = 0, isResumable = true): FoundSession {
  return {
    path: `${sessionId} ${at}`,
    folder: 'app',
    parentId: undefined,
    card: {
      header: { sessionId },
      startedAt: timeAt(at),
      updatedAt: timeAt(at),
      firstPrompt: 'x',
      isResumable,
      model: undefined,
      bytes: 1,
    },
  };
}

const sessions = [session('12345678-aaaa'), session('12345678-bbbb', 5), session('87654321-cccc')];

describe('a session is chosen', () => {
  it.each([
    ['latest', '87654321-cccc'],
    ['1', '12345678-aaaa'],
    ['3', '87654321-cccc'],
    ['4', undefined],
    ['0', undefined],
  ])('by number: %j', (wanted, id) => {
    expect(chooseByNumber(sessions, wanted)?.card.header.sessionId).toBe(id);
  });

  it.each([
    ['12345678-bbbb', '12345678-bbbb'],
    // A number of eight digits is the beginning of an id.
    ['87654321', '87654321-cccc'],
    // Of two that begin the same, the newer one.
    ['12345678', '12345678-bbbb'],
    ['8765', undefined],
    ['', undefined],
  ])('by id: %j', (wanted, id) => {
    expect(chooseById(sessions, wanted)?.card.header.sessionId).toBe(id);
  });

  it('from none', () => {
    expect(chooseByNumber([], 'latest')).toBeUndefined();
    expect(chooseById([], 'x')).toBeUndefined();
  });

  it('by the file that has something in it, then by the newest', () => {
    const files = [session('x', 1), session('x', 3), session('x', 2), session('x', 9, false)];
    expect(chooseById(files, 'x')?.path).toBe('x 3');
  });
});

describe('a number', () => {
  it.each(['latest', '1', '42', '999999'])('is %s', (wanted) => {
    expect(isNumber(wanted)).toBe(true);
  });

  it.each(['0', '01', '-1', '1.5', '87654321', 'x', ''])('is not %j', (wanted) => {
    expect(isNumber(wanted)).toBe(false);
  });
});
