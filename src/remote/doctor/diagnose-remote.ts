import { existsSync } from 'node:fs';
import type { Finding } from '../../api/diagnosis.js';
import type { ProviderConfig } from '../../api/provider-config.js';
import { findForeignAccess } from '../../base/fs/private-folder.js';
import { readEnvironment } from '../../base/process/environment.js';
import { geminiHomeOf } from '../../sessions/files/gemini-home.js';
import { DeskClient } from '../desk/ask-desk.js';
import { variablesOf } from '../session/given-variables.js';
import { findRemotePath, stateFlag } from '../state/remote-folder.js';
import { findTmuxProblem } from '../tmux/run-tmux.js';
import { checkDesk } from './check-desk.js';

export interface RemoteDiagnosis {
  /** Folder in which sessions would run. */
  readonly workingDir: string;
  /** Version of the CLI, if it is known. */
  readonly cliVersion: string | undefined;
  /** State folder of the server; undefined for the usual one. */
  readonly state: string | undefined;
  /** Variables for the CLI. */
  readonly env: ProviderConfig['env'];
}

/** Finds what keeps remote control from working in a folder. Nothing is changed, and no folder is made. */
export async function diagnoseRemote(options: RemoteDiagnosis): Promise<readonly Finding[]> {
  const { workingDir, cliVersion, state } = options;
  const environment = { ...readEnvironment(), ...variablesOf({ env: options.env }) };
  const env = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const folder = findRemotePath(environment, state);
  const folderProblem = existsSync(folder) ? findForeignAccess(folder) : undefined;
  // A server does not start in a folder that others can change, and what answers there may be theirs.
  const canAsk = existsSync(folder) && folderProblem === undefined;
  const status = canAsk ? await new DeskClient(folder).status().catch(() => undefined) : undefined;
  return checkDesk({
    ...{ workingDir, env, cliVersion, folder, folderProblem },
    geminiHome: geminiHomeOf(environment),
    install: `gemini-cli-provider remote install${stateFlag(state)}`,
    tmuxProblem: await findTmuxProblem(),
    address: status?.address,
  });
}
