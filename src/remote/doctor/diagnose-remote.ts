import { join } from 'node:path';
import type { Finding } from '../../api/diagnosis.js';
import { findStateDirectory } from '../../base/fs/state-directory.js';
import { readEnvironment } from '../../base/process/environment.js';
import { geminiHomeOf } from '../../sessions/files/gemini-home.js';
import { DeskClient } from '../desk/ask-desk.js';
import { findTmuxProblem } from '../tmux/run-tmux.js';
import { checkDesk } from './check-desk.js';

/** Finds what keeps remote control from working in a folder. `cliVersion` is the version of the CLI, if it is known. */
export async function diagnoseRemote(
  workingDir: string,
  cliVersion: string | undefined,
): Promise<readonly Finding[]> {
  const environment = readEnvironment();
  const env = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const status = await new DeskClient(undefined).status().catch(() => undefined);
  return checkDesk({
    geminiHome: geminiHomeOf(environment),
    workingDir,
    env,
    extension: join(findStateDirectory(environment), 'remote', 'extension'),
    tmuxProblem: await findTmuxProblem(),
    cliVersion,
    address: status?.address,
  });
}
