import { describe, expect, it } from 'vitest';
import { note, ok, problem } from '../../../src/step/doctor/finding.js';

describe('a finding', () => {
  it('has the name of the check, its status, a message and an instruction', () => {
    expect(ok('CLI', '/bin/gemini')).toEqual({
      check: 'CLI',
      status: 'ok',
      message: '/bin/gemini',
    });
    expect(note('version', 'old')).toMatchObject({ status: 'note', fix: undefined });
    expect(note('version', 'old', 'update')).toMatchObject({ status: 'note', fix: 'update' });
    expect(problem('auth', 'none', 'log in')).toMatchObject({ status: 'problem', fix: 'log in' });
  });
});
