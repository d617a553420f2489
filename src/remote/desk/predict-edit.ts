import { resolve } from 'node:path';
import type { BeforeToolHook, NotificationHook } from '../../api/hook-payload.js';
import { hasErrno } from '../../base/errors/errno.js';
import { createDiff } from '../../base/fs/diff.js';
import { readRegularFileSync } from '../../base/fs/regular-file.js';

/** Largest file whose change is shown. The path comes from the model, so it may lead to anything. */
const MOST_READ_BYTES = 2 * 1024 * 1024;

/** The change that a call of an edit tool would make. */
export interface PredictedEdit {
  readonly after: string;
  /** Undefined for binary and very large contents, and if nothing would change. */
  readonly diff: string | undefined;
}

/** Predicts the change of a call. Undefined if the call edits no file, or if the file cannot be read: no wrong change is shown. */
export function predictEdit({
  tool_input: input,
  cwd,
}: Pick<BeforeToolHook, 'tool_input' | 'cwd'>): PredictedEdit | undefined {
  const { file_path: path, content, old_string: oldText, new_string: newText } = input;
  if (typeof path !== 'string') return undefined;
  const before = readText(resolve(cwd, path));
  if (before === undefined) return undefined;
  if (typeof content === 'string')
    return { after: content, diff: createDiff(path, before, content) };
  if (typeof oldText !== 'string' || typeof newText !== 'string') return undefined;
  // In a file that is not there, only an empty text can be replaced: the call then creates the file.
  if (before === null && oldText !== '') return undefined;
  const replace = input['allow_multiple'] === true ? 'replaceAll' : 'replace';
  const after = (before ?? '')[replace](oldText, () => newText);
  return { after, diff: createDiff(path, before, after) };
}

/**
 * True if a dialog shows the change that the person was shown before. The CLI may find the text to replace in another way, and the
 * file may have changed meanwhile.
 */
export function isAsPredicted(
  { details = {} }: NotificationHook,
  predicted: PredictedEdit | undefined,
): boolean {
  return details['type'] !== 'edit' || details['newContent'] === predicted?.after;
}

/** Returns the text of a file; null if there is none, undefined if it is no regular file, too large, or cannot be read. */
function readText(path: string): string | null | undefined {
  try {
    return readRegularFileSync(path, MOST_READ_BYTES).toString('utf8');
  } catch (error) {
    return hasErrno(error, 'ENOENT') ? null : undefined;
  }
}
