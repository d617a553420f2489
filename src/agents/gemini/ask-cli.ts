import { mkdir, writeFile } from 'node:fs/promises';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import {
  createPrivateDirectory,
  type PrivateDirectory,
} from '../../base/process/private-directory.js';
import { closeIdleReaper } from '../../base/process/reaper.js';
import { settlesWithin } from '../../base/process/timing.js';
import { acceptConfig } from '../../config/accept-config.js';
import { silentLogger } from '../../config/logging.js';
import { AgentProcess } from '../acp/agent-process.js';
import { createGeminiLaunch } from '../acp/gemini-launch.js';
import { PoolMember } from '../acp/pool-member.js';
import type { SessionOptions } from '../acp/session-options.js';
import type { CheckedCli } from './check-cli.js';

const PATIENCE_MS = 60_000;
/** The CLI makes no session without a key, and does not look at it before the first prompt. */
const NO_KEY = 'asking-for-models-needs-no-key';
const SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
};

/** What the CLI offers for a session. It runs in a home of its own, so nothing is left in the person's. */
export async function askCli(
  cli: CheckedCli,
  env: Readonly<Record<string, string>>,
): Promise<SessionOptions> {
  const directory = await createPrivateDirectory();
  try {
    return await askIn(directory, cli, env);
  } finally {
    await directory.remove();
    await closeIdleReaper();
  }
}

async function askIn(
  directory: PrivateDirectory,
  cli: CheckedCli,
  env: Readonly<Record<string, string>>,
): Promise<SessionOptions> {
  const cwd = directory.file('workspace');
  await mkdir(cwd);
  await mkdir(directory.file('.gemini'));
  await writeFile(directory.file('.gemini/settings.json'), JSON.stringify(SETTINGS));
  const launch = createGeminiLaunch({
    cli: cli.location,
    cliVersion: cli.version,
    config: acceptConfig({}).config,
    includeDirectories: [],
    workingDir: cwd,
    env: { ...env, GEMINI_CLI_HOME: directory.path, GEMINI_API_KEY: NO_KEY },
    systemPrompt: undefined,
  });
  const process = await AgentProcess.spawn(launch, silentLogger);
  try {
    const opening = new PoolMember(process).open({ cwd, mcpServers: [] });
    if (await settlesWithin(opening, PATIENCE_MS)) return (await opening).options;
    throw new Error('it does not answer');
  } catch (error) {
    throw new ProviderError({
      code: 'PROTOCOL',
      message: `The CLI did not tell what it offers: ${messageOf(error)}`,
      hint: 'Run `gemini-cli-provider doctor`, or leave out `ask`.',
      cause: error,
    });
  } finally {
    await process.end();
  }
}
