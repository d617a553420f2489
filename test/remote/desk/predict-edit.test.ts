import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeHookCall } from '../../../src/remote/desk/describe-call.js';
import { isAsPredicted, predictEdit } from '../../../src/remote/desk/predict-edit.js';
import { announcementOf, callOf } from './hooks.js';

describe('the change that a call would make', () => {
  it('is compared with the one that the dialog shows', () => {
    const folder = mkdtempSync(join(tmpdir(), 'calls-'));
    writeFileSync(join(folder, 'a.txt'), 'a\na\n');
    const input = { file_path: 'a.txt', old_string: 'a', new_string: 'b' };
    const once = predictEdit(callOf('replace', input, folder));
    const all = predictEdit(callOf('replace', { ...input, allow_multiple: true }, folder));
    expect([once?.after, all?.after]).toEqual(['b\na\n', 'b\nb\n']);
    const dialog = announcementOf({ type: 'edit', newContent: 'b\nb\n' });
    expect([isAsPredicted(dialog, once), isAsPredicted(dialog, all)]).toEqual([false, true]);
    expect(isAsPredicted(dialog, undefined)).toBe(false);
    expect(isAsPredicted(announcementOf({ type: 'exec' }), undefined)).toBe(true);
  });

  it('is not shown for a file that is no regular file or too large, and the arguments are then', () => {
    const folder = mkdtempSync(join(tmpdir(), 'calls-'));
    writeFileSync(join(folder, 'large.txt'), 'x'.repeat(3_000_000));
    for (const path of ['/dev/zero', '.', 'large.txt']) {
      const input = { file_path: path, content: 'new' };
      const call = callOf('write_file', input, folder);
      expect(predictEdit(call)?.diff).toBeUndefined();
      const draft = describeHookCall(call, predictEdit(call), false);
      expect(draft).toMatchObject({ diff: undefined, input });
    }
  });

  it('is not predicted for a replacement in a file that is not there, unless it creates the file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'calls-'));
    const predict = (old_string: string) =>
      predictEdit(callOf('replace', { file_path: 'a.txt', old_string, new_string: 'b' }, folder));
    expect(predict('a')).toBeUndefined();
    expect(predict('')?.after).toBe('b');
  });
});
