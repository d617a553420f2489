import { describe, expect, it } from 'vitest';
import { findModeFlag, readStartMode } from '../../../src/remote/desk/start-mode.js';

describe('the mode in which a CLI was started', () => {
  it.each([
    [['gemini', '--approval-mode', 'plan'], 'plan'],
    [['gemini', '--approval-mode=auto_edit', '-m', 'x'], 'auto_edit'],
    [['gemini', '-y'], 'yolo'],
    [['gemini', '--yolo'], 'yolo'],
    [['gemini', '--approval-mode', 'nonsense'], undefined],
    [['gemini'], undefined],
  ])('is read from its arguments: %o', (args, mode) => {
    expect(findModeFlag(args)).toBe(mode);
    expect(readStartMode(args, undefined, '/')).toBe(mode);
  });

  it('is that of the settings without a flag', () => {
    const file = '/nowhere/.gemini/tmp/x/chats/y.jsonl';
    expect(readStartMode(['gemini'], file, '/')).toBe('default');
  });
});
