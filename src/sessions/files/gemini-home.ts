import { homedir } from 'node:os';
import { join } from 'node:path';
import type { SessionLocation } from '../../api/session-list.js';
import { type Environment, readEnvironment } from '../../base/process/environment.js';

/** Returns the CLI's `.gemini` folder for a process with this environment. */
export function geminiHomeOf(env: Environment): string {
  return join(env['GEMINI_CLI_HOME'] || env['HOME'] || env['USERPROFILE'] || homedir(), '.gemini');
}

/** Returns the `.gemini` folder that the caller names. Default: the folder of this process. */
export function geminiHomeAt({ geminiHome }: SessionLocation): string {
  return geminiHome ?? geminiHomeOf(readEnvironment());
}
