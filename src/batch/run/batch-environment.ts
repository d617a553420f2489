import { arch, hostname, platform } from 'node:os';
import type { ExpandedPlan } from '../../api/batch-plan.js';
import type { BatchEnvironment } from '../../api/batch-report.js';
import type { ProviderConfig } from '../../api/provider-config.js';
import type { ResponseProvider } from '../../api/response-provider.js';
import { readPackageVersion } from '../../base/fs/package-version.js';
import { askGit } from '../../base/git/run-git.js';
import { GeminiCliProvider } from '../../step/gemini-cli-provider.js';

/** Longest time that the start of a batch waits for git and for the version of the CLI. */
const LONGEST_MS = 5_000;

/**
 * Reads versions and origin of a run. What cannot be found out is absent: the remarks about a run never stop the run.
 *
 * @param provider provider of the caller, whose agent is not known
 */
export async function readBatchEnvironment(
  plan: ExpandedPlan,
  config: ProviderConfig = {},
  provider?: ResponseProvider,
): Promise<BatchEnvironment> {
  const [cliVersion, commit] = await Promise.all([
    provider === undefined ? readCliVersion(plan, config) : undefined,
    readCommit(plan),
  ]);
  return {
    packageVersion: readPackageVersion(),
    nodeVersion: process.versions.node,
    ...(cliVersion === undefined ? {} : { cliVersion }),
    host: hostname(),
    platform: `${platform()} ${arch()}`,
    ...(commit === undefined ? {} : { commit }),
    ...(plan.file === undefined ? {} : { planFile: plan.file }),
  };
}

/**
 * Returns the version of the CLI of the first step. The step would look for it anyway, and both share the answer: no
 * process is started for it twice.
 */
async function readCliVersion(
  { steps }: ExpandedPlan,
  config: ProviderConfig,
): Promise<string | undefined> {
  const first = steps[0];
  if (first === undefined) return undefined;
  try {
    const provider = new GeminiCliProvider({ ...config, ...first.config });
    const version = provider.validate().then(
      ({ cliVersion }) => cliVersion,
      () => undefined,
    );
    return await Promise.race([version, timeout()]);
  } catch {
    return undefined;
  }
}

function timeout(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), LONGEST_MS).unref();
  });
}

/** Returns the commit of the folder of the plan, with `-dirty` if tracked files have changed. */
async function readCommit({ baseDir, steps }: ExpandedPlan): Promise<string | undefined> {
  const folder = String(steps[0]?.config['workingDir'] ?? baseDir);
  const args = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
  try {
    const { exitCode, stdout } = await askGit({ folder }, args, { timeoutMs: LONGEST_MS });
    return exitCode === 0 ? stdout.toString().trim() || undefined : undefined;
  } catch {
    return undefined;
  }
}
