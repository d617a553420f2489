import { describe, expect, it } from 'vitest';
import {
  describeChangedEarlier,
  describeUndone,
} from '../../../src/step/protection/describe-protection.js';

describe('warnings about protected files', () => {
  it('say whether the change was undone', () => {
    const changes = [
      { path: '/w/.env', before: null, isRestored: true },
      { path: '/w/.gemini/big', before: undefined, isRestored: false },
    ];
    expect(describeUndone(changes, ['a', 'b'], '/w').map(({ message }) => message)).toEqual([
      '.env is protected: the change by a and b was undone.',
      '.gemini/big is protected, but the change by a and b cannot be undone: the old content was not kept.',
    ]);
  });

  it('count what would be too many to name', () => {
    const changes = Array.from({ length: 25 }, (_, index) => {
      return { path: `/w/.gemini/${index}`, before: null, isRestored: true };
    });
    const warnings = describeUndone(changes, ['a'], '/w');
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toMatchObject({ code: 'PROTECTED_PATH', count: 5 });
  });

  it('name the step that has changed a file earlier', () => {
    const [warning] = describeChangedEarlier([{ path: '/w/.env', generationId: 'g' }], '/w');
    expect(warning).toMatchObject({ code: 'PROTECTED_PATH_CHANGED' });
    expect(warning?.message).toContain('.env at its start, and an earlier step (g)');
  });
});
