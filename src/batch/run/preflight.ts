import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BatchOptions } from '../../api/batch-options.js';
import type { PlannedStep } from '../../api/batch-plan.js';
import type { Finding } from '../../api/diagnosis.js';
import type { ProviderConfig } from '../../api/provider-config.js';
import type { ResponseProvider } from '../../api/response-provider.js';
import { ERROR_CODES } from '../../base/errors/codes.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { realpathOf } from '../../base/fs/paths.js';
import { askGit } from '../../base/git/run-git.js';
import { canonicalJson } from '../../base/json/canonical-json.js';
import { normaliseKeys } from '../../config/resolve-config.js';
import { diagnose } from '../../step/doctor/diagnose.js';
import { openRepository } from '../isolation/open-repository.js';

/** Keys of the configuration that decide whether a step can start. Steps with the same values are checked once. */
const DECIDING_KEYS = [
  'workingDir',
  'includeDirectories',
  'cliPath',
  'env',
  'inheritEnv',
  'trustWorkspace',
  'approvalMode',
  'sandbox',
  'processIsolation',
];

/** Most ids in a message. */
const MOST_NAMES = 3;

export interface PreflightRequest {
  /** Configuration of the provider, for all steps that do not set the same key. */
  readonly config?: ProviderConfig | undefined;
  /** State folder of the batch, in which isolated workspaces may lie. */
  readonly stateDir: string;
  /** Provider that is asked whether its steps can run, in place of the checks of CLI, login and trust. */
  readonly provider?: ResponseProvider | undefined;
}

/** Returns what the preflight of a batch needs; undefined if the options leave it out. */
export function toPreflightRequest(
  { preflight, provider, config }: BatchOptions,
  stateDir: string,
): PreflightRequest | undefined {
  if (preflight === false) return undefined;
  if (provider === undefined) return { config, stateDir };
  return preflight === 'provider' ? { config, stateDir, provider } : undefined;
}

/** Result of the checks for steps of the same folder and configuration. */
export interface PreflightGroup {
  readonly steps: readonly PlannedStep[];
  readonly findings: readonly Finding[];
}

/** Checks without a request to the model what would make steps fail. Steps in the same conditions are checked once. */
export async function checkGroups(
  steps: readonly PlannedStep[],
  request: PreflightRequest,
): Promise<PreflightGroup[]> {
  const groups = groupSteps(steps);
  const { provider } = request;
  const answers = provider === undefined || steps.length === 0 ? [] : await askProvider(provider);
  return Promise.all(
    groups.map(async (group) => {
      const [first] = group;
      const findings = first === undefined ? [] : await check(first, request);
      return { steps: group, findings: [...answers, ...findings] };
    }),
  );
}

/** Asks a provider whether its steps can run. Its notes are findings. */
async function askProvider(provider: ResponseProvider): Promise<readonly Finding[]> {
  const name = 'provider';
  try {
    const { notes } = await provider.validate();
    return notes.map((message) => ({ check: name, status: 'ok', message }));
  } catch (error) {
    if (!ProviderError.isInstance(error)) throw error;
    const { code, message, hint: fix } = error;
    return [{ check: name, status: 'problem', message, fix, code }];
  }
}

function groupSteps(steps: readonly PlannedStep[]): readonly (readonly PlannedStep[])[] {
  const groups = new Map<string, PlannedStep[]>();
  for (const step of steps) {
    const key = conditionsOf(step);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [step]);
    else group.push(step);
  }
  return [...groups.values()];
}

/** Conditions by configuration: the steps of a matrix share one. */
const described = new WeakMap<object, string>();

/** Describes everything that decides whether a step can start. */
export function conditionsOf({ config, isolation, commit }: PlannedStep): string {
  const values =
    described.get(config) ??
    canonicalJson(
      DECIDING_KEYS.map((key) => config[key] ?? null),
      (value) => typeof value,
    );
  described.set(config, values);
  return `${isolation} ${commit === undefined ? '' : 'commit '}${values}`;
}

async function check(step: PlannedStep, request: PreflightRequest): Promise<readonly Finding[]> {
  const { config, isolation, commit } = step;
  const machine = request.provider === undefined ? await checkMachine(step, request) : [];
  const workingDir = String(config['workingDir']);
  if (isolation === 'worktree') return [...machine, await checkRepository(workingDir)];
  return commit === undefined ? machine : [...machine, await checkCommits(workingDir)];
}

/** Checks CLI, login, trust and folders of this machine. */
async function checkMachine(
  { config, isolation }: PlannedStep,
  { config: given = {}, stateDir }: PreflightRequest,
): Promise<readonly Finding[]> {
  const values = { transport: 'acp' as const, ...normaliseKeys(given).values };
  // Isolated workspaces lie in one of these folders, whichever is on the disk of the working directory.
  const parents = [realpathOf(stateDir), realpathOf(tmpdir())];
  const agentDirs = parents.map((parent) => join(parent, 'gemini-cli-provider'));
  const isIsolated = isolation !== 'shared';
  const { findings } = await diagnose(
    { ...values, ...config },
    [],
    isIsolated ? { agentDirs } : {},
  );
  return isIsolated ? findings.map(explainIsolatedTrust) : findings;
}

/** A worktree or a copy has a path of its own: trust in the working directory does not cover it. */
function explainIsolatedTrust(finding: Finding): Finding {
  if (finding.code !== 'UNTRUSTED_WORKSPACE') return finding;
  const message = 'Worktrees and copies of isolated steps are not trusted';
  return { ...finding, message, fix: ERROR_CODES.UNTRUSTED_WORKSPACE.hint };
}

async function checkRepository(folder: string): Promise<Finding> {
  const name = 'git worktrees';
  try {
    const { top } = await openRepository(folder);
    return { check: name, status: 'ok', message: top };
  } catch (error) {
    if (!ProviderError.isInstance(error)) throw error;
    const { code, message, hint: fix } = error;
    return { check: name, status: 'problem', message, fix, code };
  }
}

/** Checks that git knows the repository in which the step is to be committed. A worktree needs more than that. */
async function checkCommits(folder: string): Promise<Finding> {
  const name = 'git commits';
  const args = ['rev-parse', '--show-toplevel'];
  const answer = await askGit({ folder }, args);
  if (answer.exitCode === 0) {
    return { check: name, status: 'ok', message: answer.stdout.toString().trim() };
  }
  const reason =
    answer.errno === 'ENOENT'
      ? 'git is not on PATH'
      : answer.stderrTail
          .split('\n', 1)
          .join('')
          .replace(/^fatal: /, '');
  return {
    check: name,
    status: 'problem',
    code: 'INVALID_CONFIG',
    message: `The option \`commit\` needs a git repository at ${folder}: ${reason}`,
    fix: 'Run `git init` there, repair what git says, or remove `commit` from the plan.',
  };
}

/** Returns one error for each cause, with the steps that it concerns unless it concerns all of them. */
export function toCauses(groups: readonly PreflightGroup[]): ProviderError[] {
  const total = groups.reduce((sum, { steps }) => sum + steps.length, 0);
  const causes = new Map<string, { readonly finding: Finding; readonly steps: string[] }>();
  for (const { steps, findings } of groups) {
    for (const finding of findings) {
      if (finding.status !== 'problem') continue;
      const key = JSON.stringify([finding.code, finding.message]);
      const cause = causes.get(key) ?? { finding, steps: [] };
      causes.set(key, cause);
      for (const { id } of steps) cause.steps.push(id);
    }
  }
  return [...causes.values()].map(({ finding, steps }) => {
    const { code = 'INVALID_CONFIG', message, fix } = finding;
    const concerned = steps.length === total ? '' : ` (${nameSteps(steps)})`;
    return new ProviderError({ code, message: `${message}${concerned}`, hint: fix });
  });
}

/** Returns one error for all causes. With several causes, `cause` holds an AggregateError with all of them. */
export function combineCauses(causes: readonly ProviderError[]): ProviderError | undefined {
  const [first, second] = causes;
  if (first === undefined || second === undefined) return first;
  return new ProviderError({
    code: first.code,
    message: `No step can run, for ${causes.length} reasons: ${causes.map(({ message }) => message).join('; ')}`,
    hint: causes.map(({ hint }) => hint).join(' '),
    cause: new AggregateError(causes),
  });
}

function nameSteps(ids: readonly string[]): string {
  const more = ids.length - MOST_NAMES;
  const names = [...ids.slice(0, MOST_NAMES), ...(more > 0 ? [`${more} more`] : [])];
  return `${ids.length === 1 ? 'step' : 'steps'} ${names.join(', ')}`;
}
