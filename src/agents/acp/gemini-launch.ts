import { writeFile } from 'node:fs/promises';
import type { TreeIsolation } from '../../base/process/isolation.js';
import type { PrivateDirectory } from '../../base/process/private-directory.js';
import { renderPolicy } from '../../config/policy-file.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import { beginTemporaryProject } from '../../sessions/projects/temporary-project.js';
import { featuresOf } from '../gemini/cli-features.js';
import { type CliLocation, runsOnThisNode } from '../gemini/find-cli.js';
import { removeUnusedSessions } from '../gemini/remove-unused-sessions.js';
import { buildSharedFlags } from '../gemini/shared-flags.js';
import { geminiProfile } from './gemini-profile.js';
import {
  createLaunchKey,
  describeCapabilities,
  type Launch,
  withoutProcessTag,
  withProcessTag,
} from './launch.js';

export interface GeminiLaunchRequest {
  readonly cli: CliLocation;
  readonly cliVersion: string | undefined;
  readonly config: ResolvedConfig;
  /** Absolute paths. */
  readonly includeDirectories: readonly string[];
  readonly workingDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Replaces the system prompt of the CLI. */
  readonly systemPrompt: string | undefined;
  /** Home folder of the CLI. The CLI makes a project there of the private folder in which it is started. */
  readonly geminiHome?: string | undefined;
  readonly isolation?: TreeIsolation | undefined;
}

/**
 * Creates the launch of `gemini --acp`. Rules, folders, the system prompt, the sandbox and the environment belong to
 * the process. Mode, model and working directory belong to the session.
 */
export function createGeminiLaunch(request: GeminiLaunchRequest): Launch {
  const { cli, config, workingDir, systemPrompt, isolation, geminiHome } = request;
  const features = featuresOf(request.cliVersion);
  const policy = renderPolicy({ config, workingDir: undefined });
  const env = withoutProcessTag(request.env);
  const flags = [
    features.acpFlag ? '--acp' : '--experimental-acp',
    ...buildSharedFlags({ ...request, features: { policy: features.acpPolicy } }),
    ...config.extraArgs,
  ];
  // A sandbox contains the folder in which the CLI was started. Without a sandbox the CLI is started in a private
  // folder: settings and `.env` of the working directory apply to its sessions, not to the shared process.
  const fixedDir = config.sandbox === false ? undefined : workingDir;
  const capabilities = describeCapabilities(config);
  const parts = [cli.command, cli.args, flags, env, policy, systemPrompt, fixedDir, capabilities];
  const means = isolation?.means;
  return {
    key: createLaunchKey([...parts, means]),
    name: geminiProfile.name,
    command: cli.command,
    capabilities,
    isolation,
    ...(geminiHome !== undefined && {
      removeUnused: (sessions) => removeUnusedSessions(geminiHome, sessions),
    }),
    build: async (directory, processId) => {
      const args = [...heapFlags(cli), ...cli.args, ...flags];
      const childEnv = withProcessTag(env, processId);
      if (policy !== undefined && features.acpPolicy) {
        await writeFile(directory.file('policy.toml'), policy, { mode: 0o600 });
        args.push(`--policy=${directory.file('policy.toml')}`);
      }
      if (systemPrompt !== undefined) {
        await writeFile(directory.file('system.md'), systemPrompt, { mode: 0o600 });
        childEnv['GEMINI_SYSTEM_MD'] = directory.file('system.md');
      }
      // The CLI reports retries only in this log while it runs.
      const logFile =
        env['GEMINI_DEBUG_LOG_FILE'] === undefined ? directory.file('debug.log') : undefined;
      if (logFile !== undefined) childEnv['GEMINI_DEBUG_LOG_FILE'] = logFile;
      if (fixedDir === undefined) await forgetAfterwards(geminiHome, directory);
      return { args, env: childEnv, cwd: fixedDir ?? directory.path, logFile };
    },
  };
}

/**
 * Returns flags that make Node collect garbage earlier. Without them the CLI collects the garbage of 40 sessions first
 * and needs twice the memory. The flags do not make it slower.
 */
function heapFlags(cli: CliLocation): string[] {
  return runsOnThisNode(cli) ? ['--heap-growing-percent=50'] : [];
}

/** Removes the project of the private folder from the home of the CLI after the process has ended. */
async function forgetAfterwards(
  geminiHome: string | undefined,
  directory: PrivateDirectory,
): Promise<void> {
  if (geminiHome === undefined) return;
  const { path: workingDir } = directory;
  const project = await beginTemporaryProject({ geminiHome, workingDir }).catch(() => undefined);
  if (project !== undefined) directory.afterRemoval(() => project.end());
}
