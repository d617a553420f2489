import { randomUUID } from 'node:crypto';
import { createAgentEnvironment } from '../../agents/gemini/agent-environment.js';
import { checkCli } from '../../agents/gemini/check-cli.js';
import {
  findSetting,
  type LoadedSettings,
  loadSettings,
  type SettingsFile,
  settingsInForce,
} from '../../agents/gemini/settings-file.js';
import { describeCli } from '../../agents/gemini/validation-notes.js';
import type { DiagnoseOptions, Diagnosis, Finding } from '../../api/diagnosis.js';
import type { ConfigProblem } from '../../api/error.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { readEnvironment } from '../../base/process/environment.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import { assertReachable } from '../reachable-folders.js';
import { checkAuth } from './check-auth.js';
import { checkConfig, listGivenFolders } from './check-config.js';
import { checkFolders, checkSandbox } from './check-host.js';
import { checkIsolation } from './check-isolation.js';
import { checkTrust } from './check-trust.js';
import { note, ok, problem } from './finding.js';

/** Runs all checks of `diagnose()`. Each check runs even if others fail. */
export async function runChecks(
  input: object,
  known: readonly ConfigProblem[],
  options: DiagnoseOptions,
): Promise<Diagnosis> {
  const unreachable = await findUnreachable(input);
  if (unreachable !== undefined) return { ok: false, findings: [unreachable] };
  const { config, workingDir, findings: aboutConfig } = checkConfig(input, known);
  const { env, geminiHome } = createAgentEnvironment(config, readEnvironment(), randomUUID());
  const settings = readSettings(geminiHome, workingDir);
  const workspace = { settings, env, geminiHome };
  const { agentDirs = [workingDir] } = options;
  const checked = agentDirs.map((dir) => checkTrust({ ...workspace, workingDir: dir }));
  const { trust, finding: aboutTrust } =
    checked.find(({ trust: { isTrusted } }) => isTrusted) ??
    checked[0] ??
    checkTrust({ ...workspace, workingDir });
  const files = settingsInForce(settings, trust.readsProject);
  const findings = [
    ...aboutConfig,
    ...(await checkInstallation(config, workingDir, env)),
    ...settings.findings,
    ...describeIgnored(settings, trust.readsProject),
    ...checkAuth({ files, env, geminiHome, workingDir, isTrusted: trust.isTrusted }),
    aboutTrust,
    checkApproval(config, files),
    await checkSandbox(config.sandbox, env),
    await checkIsolation(config),
    ...checkFolders(geminiHome),
  ];
  return { ok: findings.every(({ status }) => status !== 'problem'), findings };
}

/** Looks for folders on a file system that does not answer. No other check can run there: it would wait without end. */
async function findUnreachable(input: object): Promise<Finding | undefined> {
  const { folders, limitMs } = listGivenFolders(input);
  try {
    await assertReachable(folders, { limitMs });
    return undefined;
  } catch (error) {
    if (!ProviderError.isInstance(error)) throw error;
    return problem('file system', error.message, error.hint);
  }
}

async function checkInstallation(
  config: ResolvedConfig,
  workingDir: string,
  env: Readonly<Record<string, string>>,
): Promise<Finding[]> {
  try {
    const cli = await checkCli({ config, workingDir, environment: readEnvironment(), env });
    return [
      ok('CLI', `${cli.location.path} (found in ${cli.location.foundIn})`),
      ok('version', cli.version ?? 'unknown'),
      ...describeCli(cli).map((text) => note('version', text)),
    ];
  } catch (error) {
    if (!ProviderError.isInstance(error)) throw error;
    const version = note('version', 'Unknown: no usable CLI was found');
    return [problem('CLI', error.message, error.hint, error.code), version];
  }
}

function describeIgnored({ project }: ReadSettings, readsProject: boolean): Finding[] {
  if (project === undefined || readsProject) return [];
  return [note('settings', `${project.path} is ignored: the workspace is not trusted`)];
}

function checkApproval({ approvalMode }: ResolvedConfig, files: readonly SettingsFile[]): Finding {
  const isForbidden = findSetting(files, 'security.disableYoloMode') === true;
  if (approvalMode !== 'yolo' || !isForbidden) return ok('approval mode', approvalMode);
  const fix = 'Use another approvalMode and allowedTools, or change security.disableYoloMode.';
  return problem('approval mode', 'The settings forbid approvalMode "yolo"', fix, 'CLI_CONFIG');
}

interface ReadSettings extends LoadedSettings {
  readonly findings: readonly Finding[];
}

/** Reads the settings files of the CLI and reports them as findings. Exported for its test. */
export function readSettings(geminiHome: string, workingDir: string): ReadSettings {
  const settings = loadSettings(geminiHome, workingDir);
  const fix = 'Correct the file: the CLI exits with 52.';
  const findings = [settings.project, settings.user].flatMap((file) => {
    return file === undefined ? [] : ok('settings', file.path);
  });
  for (const path of settings.broken) {
    findings.push(problem('settings', `${path} is not a JSON object`, fix, 'CLI_CONFIG'));
  }
  if (findings.length === 0) findings.push(ok('settings', 'None'));
  return { ...settings, findings };
}
