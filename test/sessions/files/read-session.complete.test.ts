import { describe, expect, it } from 'vitest';
import type { SessionDiagnostic } from '../../../src/api/session.js';
import { judgeReading } from '../../../src/sessions/files/read-session.js';
import { ANSWER, HEADER } from './session-text.js';

const READ = { header: HEADER, messages: [ANSWER], latest: [ANSWER], diagnostics: [] };
const garbage: SessionDiagnostic = { kind: 'garbage', message: 'x', line: 1 };

describe('the reading of a session file', () => {
  it('is complete without diagnostics', () => {
    expect(judgeReading(READ, 10, 10)).toEqual({ ...READ, complete: true });
  });

  it.each([
    ['the file has garbage', { ...READ, diagnostics: [garbage] }, [10, 10], ['garbage']],
    ['the file grew meanwhile', READ, [10, 11], ['grew']],
    ['the file was truncated meanwhile', READ, [10, 9], ['truncated']],
    ['the header is missing', { ...READ, header: undefined }, [10, 10], ['no-header']],
    ['the file is empty', { ...READ, header: undefined, messages: [] }, [0, 0], ['empty']],
    [
      'the file was empty and grew',
      { ...READ, header: undefined, messages: [] },
      [0, 5],
      ['empty', 'grew'],
    ],
  ] as const)('is incomplete if %s', (_when, read, [before, after], kinds) => {
    const { diagnostics, complete } = judgeReading(read, before, after);
    expect(diagnostics.map(({ kind }) => kind)).toEqual(kinds);
    expect(complete).toBe(false);
  });
});
