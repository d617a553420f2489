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

const ANSWER_TIMEOUT_MS = 60_000;
/** Placeholder key: the CLI opens no session without a key, and does not use the key before the first prompt. */
const PLACEHOLDER_KEY = 'asking-for-models-needs-no-key';
const SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
};

/** Asks the CLI for the models and modes of a session. The CLI gets a temporary home: the user's stays unchanged. */
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
    env: { ...env, GEMINI_CLI_HOME: directory.path, GEMINI_API_KEY: PLACEHOLDER_KEY },
    systemPrompt: undefined,
  });
  const process = await AgentProcess.spawn(launch, silentLogger);
  try {
    const opening = new PoolMember(process).open({ cwd, mcpServers: [] });
    if (await settlesWithin(opening, ANSWER_TIMEOUT_MS)) return (await opening).options;
    throw new Error('no answer within 60 s');
  } catch (error) {
    throw new ProviderError({
      code: 'PROTOCOL',
      message: `The CLI did not report its models and modes: ${messageOf(error)}`,
      hint: 'Run `gemini-cli-provider doctor`, or leave out `ask`.',
      cause: error,
    });
  } finally {
    await process.end();
  }
}
