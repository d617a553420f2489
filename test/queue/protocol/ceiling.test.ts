import { describe, expect, it } from 'vitest';
import { assertBelowCeiling, type Ceiling } from '../../../src/queue/protocol/ceiling.js';
import { TRAVELLING_KEYS } from '../../../src/queue/protocol/travelling-options.js';
import { errorOf } from './support.js';

const LOW: Ceiling = {
  approvalMode: 'auto_edit',
  allowedTools: ['read_file', 'run_shell_command(git)'],
  weakerProtection: false,
  commands: false,
};
const HIGH: Ceiling = {
  approvalMode: 'yolo',
  allowedTools: [],
  weakerProtection: true,
  commands: true,
};

function refusedBy(ceiling: Ceiling, options: Readonly<Record<string, unknown>>, setup = false) {
  const error = errorOf(() => assertBelowCeiling(options, setup, ceiling));
  expect(error.code).toBe('INVALID_CONFIG');
  return error.problems?.map(({ key }) => key);
}

describe('assertBelowCeiling', () => {
  it('accepts a step that asks for nothing', () => {
    expect(assertBelowCeiling({}, false, LOW)).toBe(undefined);
  });

  const MODES = ['plan', 'default', 'auto_edit', 'yolo'] as const;
  it.each(MODES)('accepts modes up to %s and no other (claim: queue-ceiling)', (approvalMode) => {
    const ceiling = { ...LOW, approvalMode };
    for (const [index, mode] of MODES.entries()) {
      const options = { approvalMode: mode };
      if (index <= MODES.indexOf(approvalMode))
        expect(assertBelowCeiling(options, false, ceiling)).toBe(undefined);
      else expect(refusedBy(ceiling, options)).toEqual(['approvalMode']);
    }
  });

  it.each(['YOLO', '', null, 3, ['plan']])(
    'refuses the mode %j, which it does not know',
    (mode) => {
      expect(refusedBy(HIGH, { approvalMode: mode })).toEqual(['approvalMode']);
    },
  );

  it('names only the rules that the worker does not allow', () => {
    const allowedTools = ['read_file', 'run_shell_command', 7];
    const error = errorOf(() => assertBelowCeiling({ allowedTools }, false, LOW));
    expect(error.problems?.[0]).toMatchObject({
      key: 'allowedTools',
      value: ['run_shell_command', 7],
    });
    expect(assertBelowCeiling({ allowedTools: ['read_file'] }, false, LOW)).toBe(undefined);
  });

  it('refuses rules that are no list', () => {
    expect(refusedBy(LOW, { allowedTools: 'write_file' })).toEqual(['allowedTools']);
    expect(refusedBy(LOW, { allowedTools: { 0: 'read_file' } })).toEqual(['allowedTools']);
  });

  it('accepts every rule with the mode yolo', () => {
    expect(assertBelowCeiling({ allowedTools: ['anything'] }, false, HIGH)).toBe(undefined);
  });

  it.each([
    [{ allowRedirection: true }, 'allowRedirection'],
    [{ allowRedirection: 'yes' }, 'allowRedirection'],
    [{ protectedPaths: false }, 'protectedPaths'],
    [{ protectedPaths: ['a', '!.git'] }, 'protectedPaths'],
  ])('refuses a weaker protection: %j', (options, key) => {
    expect(refusedBy(LOW, options)).toEqual([key]);
    expect(assertBelowCeiling(options, false, HIGH)).toBe(undefined);
  });

  it('accepts a stronger protection', () => {
    const options = { allowRedirection: false, protectedPaths: ['a'], deniedTools: ['b'] };
    expect(assertBelowCeiling(options, false, LOW)).toBe(undefined);
  });

  it('refuses commands and setup without showing them', () => {
    const options = { expects: { command: ['rm', 'hunter2'], files: ['a'] } };
    expect(refusedBy(LOW, options, true)).toEqual(['expects.command', 'setup']);
    const error = errorOf(() => assertBelowCeiling(options, false, LOW));
    expect(JSON.stringify([error.message, error.problems])).not.toContain('hunter2');
    expect(assertBelowCeiling({ expects: { files: ['a'] } }, false, LOW)).toBe(undefined);
    expect(assertBelowCeiling(options, true, HIGH)).toBe(undefined);
  });

  it.each([
    'env',
    'cliPath',
    'extraArgs',
    'mcpServers',
    'workingDir',
    'trustWorkspace',
    'toString',
  ])('takes no %s from a job, however high the ceiling is', (key) => {
    const error = errorOf(() => assertBelowCeiling({ [key]: 'hunter2' }, false, HIGH));
    expect(error.problems).toEqual([
      { key, value: '(hidden)', problem: 'is not taken from a job by this worker' },
    ]);
  });

  it('takes every other travelling option', () => {
    const values = TRAVELLING_KEYS.filter((key) => key !== 'approvalMode').map((key) => [key, []]);
    expect(assertBelowCeiling(Object.fromEntries(values), true, HIGH)).toBe(undefined);
  });

  it('names everything that is too much at once (claim: queue-ceiling)', () => {
    const options = { env: {}, approvalMode: 'yolo', allowedTools: ['x'], allowRedirection: true };
    expect(refusedBy(LOW, options, true)).toEqual([
      'env',
      'approvalMode',
      'allowedTools',
      'allowRedirection',
      'setup',
    ]);
  });
});
