import { findSetting, loadSettings, settingsInForce } from '../../agents/gemini/settings-file.js';
import type { ApprovalMode } from '../../api/provider-config.js';

const MODES: readonly ApprovalMode[] = ['default', 'auto_edit', 'plan', 'yolo'];
const FLAG = '--approval-mode';
/** Folder of the CLI's files in the path of a session file. */
const GEMINI_FOLDER = /^(.*\/\.gemini)\/tmp\//;

/**
 * Returns the approval mode in which a CLI was started, by its arguments and settings. Undefined if the settings are not known. The
 * person may have changed it since, which only the screen shows.
 */
export function readStartMode(
  args: readonly string[],
  sessionFile: string | undefined,
  workingDir: string,
): ApprovalMode | undefined {
  const asked = findModeFlag(args);
  if (asked !== undefined) return asked;
  const geminiHome = GEMINI_FOLDER.exec(sessionFile ?? '')?.[1];
  if (geminiHome === undefined) return undefined;
  // A folder that is not trusted has no settings of its own. Its mode could only be a safer one.
  const files = settingsInForce(loadSettings(geminiHome, workingDir), true);
  const set = findSetting(files, 'general.defaultApprovalMode');
  return toMode(typeof set === 'string' ? set : 'default');
}

/** Finds the mode among the arguments of the CLI. Exported for its test. */
export function findModeFlag(args: readonly string[]): ApprovalMode | undefined {
  if (args.some((arg) => arg === '-y' || arg === '--yolo')) return 'yolo';
  const at = args.findLastIndex((arg) => arg === FLAG || arg.startsWith(`${FLAG}=`));
  return at < 0 ? undefined : toMode(args[at]?.slice(FLAG.length + 1) || args[at + 1]);
}

function toMode(text: string | undefined): ApprovalMode | undefined {
  return MODES.find((mode) => mode === text);
}
