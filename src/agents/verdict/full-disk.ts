import { OUT_OF_SPACE } from '../../base/errors/out-of-space.js';
import type { ToolCall } from '../events/turn-fold.js';
import { toolCategory } from '../gemini/gemini-tools.js';
import { fail } from './create-failure.js';
import type { Failure } from './verdict.js';

const HINT =
  'Free space on the disk of the named file, or raise the quota. Then restore the file, which may have lost its content (see `partial.files`), and run the step again.';

/**
 * Finds a write that failed because the disk is full, and that no later call has repeated with success. An agent over ACP
 * may go on and report success although the file has lost its content.
 *
 * @param unwritten files that this process could not write for the agent
 */
export function findFullDisk(
  calls: readonly ToolCall[],
  [unwritten]: readonly string[] = [],
): Failure | undefined {
  if (unwritten !== undefined) return failFullDisk(`${unwritten} could not be written`);
  const failed = calls.find((call, index) => {
    return isWithoutSpace(call) && !calls.slice(index + 1).some((later) => isRepeated(call, later));
  });
  if (failed === undefined) return undefined;
  const file = failed.input['file_path'];
  const name = typeof file === 'string' ? file : 'a file';
  return failFullDisk(`${failed.name} could not write ${name}`);
}

function failFullDisk(problem: string): Failure {
  return { ...fail('TOOL_FAILED', `The disk is full: ${problem}`), hint: HINT };
}

function isWithoutSpace({ name, outcome, error }: ToolCall): boolean {
  if (outcome !== 'failed' || error === undefined || toolCategory(name) !== 'file-write')
    return false;
  return error.type === 'no_space_left' || OUT_OF_SPACE.test(error.message);
}

function isRepeated(failed: ToolCall, later: ToolCall): boolean {
  const isWrite = later.outcome === 'completed' && toolCategory(later.name) === 'file-write';
  return isWrite && later.input['file_path'] === failed.input['file_path'];
}
