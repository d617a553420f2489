import { accessSync, constants, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { findMissingFixedDirectories } from '../config/directories.js';
import { readEnvironment } from '../config/environment.js';
import { normaliseKeys, type ResolvedConfig, resolveConfig } from '../config/resolve-config.js';
import { ProviderError } from '../errors/provider-error.js';
import { pathPlaces } from '../process/cli-places.js';
import { type Stage, setStage } from '../provider/stage.js';
import { describeCli } from '../provider/validation-notes.js';
import { checkAuth } from './check-auth.js';
import { checkTrust } from './check-trust.js';
import { type Finding, note, ok, problem } from './finding.js';
import { findSetting, readSettings, type SettingsFile } from './read-settings.js';

export interface Diagnosis {
  /** False where a run would fail. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** Looks at everything that would make a run fail, without a call to the model. */
export async function diagnose(input: object): Promise<Diagnosis> {
  const findings = await collect(input);
  return { ok: findings.every(({ status }) => status !== 'problem'), findings };
}

async function collect(input: object): Promise<Finding[]> {
  let config: ResolvedConfig;
  try {
    const { values, unknownKeys, problems } = normaliseKeys(input);
    config = resolveConfig(values, problems);
    const unknown = unknownKeys.map((key) => note('configuration', `Unknown key "${key}"`));
    const missing = findMissingFixedDirectories(config).map(({ key, value, problem: what }) => {
      return problem('configuration', `${key} ${String(value)} ${what}`, `Correct ${key}.`);
    });
    if (missing.length > 0) return [...unknown, ...missing];
    return [...unknown, ...(await inspect(config))];
  } catch (error) {
    return [toFinding('configuration', error)];
  }
}

async function inspect(config: ResolvedConfig): Promise<Finding[]> {
  let stage: Stage;
  try {
    stage = await setStage(config, {}, readEnvironment());
  } catch (error) {
    return [toFinding('CLI', error)];
  }
  const { location, version } = stage.cli;
  const { files, findings } = readSettings(stage.geminiHome, stage.workingDir);
  return [
    ok('CLI', `${location.path} (found in ${location.foundIn})`),
    ok('version', version ?? 'not known'),
    ...describeCli(stage.cli).map((text) => note('version', text)),
    ...findings,
    ...checkAuth(files, stage.env, stage.geminiHome, stage.workingDir),
    ...checkTrust(files, stage.env, stage.geminiHome, stage.workingDir),
    ...checkApproval(config, files),
    ...checkSandbox(config, stage.env),
    ...checkWritable('temp folder', tmpdir(), 'Set TMPDIR to a folder that can be written.'),
    ...checkWritable(
      'home of the CLI',
      nearestExisting(stage.geminiHome),
      'Make it writable, or set GEMINI_CLI_HOME: without session files no run can be recovered.',
    ),
  ];
}

function checkApproval(
  { approvalMode }: ResolvedConfig,
  files: readonly SettingsFile[],
): Finding[] {
  if (approvalMode !== 'yolo' || findSetting(files, 'security.disableYoloMode') !== true) return [];
  const fix = 'Use another approvalMode and allowedTools, or change security.disableYoloMode.';
  return [problem('approval mode', 'The settings forbid approvalMode "yolo"', fix)];
}

function checkSandbox(
  { sandbox }: ResolvedConfig,
  env: Readonly<Record<string, string>>,
): Finding[] {
  if (sandbox === false) return [];
  const wanted = typeof sandbox === 'string' ? [sandbox] : ['docker', 'podman', 'sandbox-exec'];
  const found = wanted.find((name) =>
    pathPlaces(env).some((folder) => existsSync(`${folder}/${name}`)),
  );
  if (found !== undefined) return [ok('sandbox', found)];
  const fix = `Install ${wanted.join(' or ')}, or turn sandbox off.`;
  return [problem('sandbox', `No ${wanted.join(', ')} on PATH`, fix)];
}

function checkWritable(check: string, folder: string, fix: string): Finding[] {
  try {
    accessSync(folder, constants.W_OK);
    return [ok(check, folder)];
  } catch {
    return [problem(check, `${folder} cannot be written`, fix)];
  }
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder
    ? folder
    : nearestExisting(dirname(folder));
}

function toFinding(check: string, error: unknown): Finding {
  if (!ProviderError.isInstance(error)) throw error;
  return problem(
    error.code === 'INVALID_CONFIG' ? 'configuration' : check,
    error.message,
    error.hint,
  );
}
