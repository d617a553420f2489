import { describe, expect, it } from 'vitest';
import { findRefusedKey, nearestConfigKey } from '../../src/config/other-keys.js';

describe('the suggestion for a misspelt key', () => {
  it.each([
    ['modle', 'model'],
    ['time_out', 'timeout'],
    ['aproval_mode', 'approvalMode'],
    ['approval-mode', 'approvalMode'],
    ['allowed_tool', 'allowedTools'],
    ['include_directory', 'includeDirectories'],
    ['workdir', 'workingDir'],
    ['idleTimeOut', 'idleTimeout'],
    ['extra_arg', 'extraArgs'],
  ])('of "%s" is %s', (typed, key) => {
    expect(nearestConfigKey(typed)).toBe(key);
  });

  it.each(['temperature', 'xyz', 'maxOutputTokens'])('does not exist for "%s"', (typed) => {
    expect(nearestConfigKey(typed)).toBeUndefined();
  });
});

describe('a key of another tool', () => {
  it.each([
    ['cwd', 'workingDir'],
    ['working_directory', 'workingDir'],
    ['timeoutMs', 'timeout'],
    ['permissionMode', 'approvalMode'],
    ['constructor', undefined],
  ])('%s means %s', (typed, key) => {
    expect(nearestConfigKey(typed)).toBe(key);
  });

  it.each(['permissionMode', 'permission_mode', 'disallowedTools', 'excludeTools', 'yolo'])(
    'that restricts the agent is never ignored: %s',
    (key) => {
      expect(findRefusedKey(key)).toMatch(
        /is not a key of this package: use (approvalMode|deniedTools)/,
      );
    },
  );

  it('may be ignored with a warning otherwise', () => {
    expect(findRefusedKey('cwd')).toBeUndefined();
    expect(findRefusedKey('modle')).toBeUndefined();
  });
});
