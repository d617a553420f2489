import type { ConfigProblem } from '../../api/error.js';
import type { ApprovalMode } from '../../api/provider-config.js';
import { isObject } from '../../base/json/is-object.js';
import { invalidConfig, toProblem } from '../../config/config-problem.js';
import { TRAVELLING_KEYS, type TravellingOptions } from './travelling-options.js';

/** What steps may ask for on a worker, with all defaults filled in. */
export interface Ceiling {
  /** The freest approval mode that a step may ask for. */
  readonly approvalMode: ApprovalMode;
  /** The rules of allowed tools that a step may name; with `yolo` it may name any. */
  readonly allowedTools: readonly string[];
  /** Whether a step may switch protections off. */
  readonly weakerProtection: boolean;
  /** Whether a step may name commands that the worker runs: `expects.command` and `setup`. */
  readonly commands: boolean;
}

const MODES: readonly ApprovalMode[] = ['plan', 'default', 'auto_edit', 'yolo'];

/** Throws INVALID_CONFIG with every option that asks for more than the worker allows. */
export function assertBelowCeiling(
  options: TravellingOptions,
  hasSetup: boolean,
  ceiling: Ceiling,
): void {
  const problems = [
    ...findUnknown(options),
    ...findMode(options['approvalMode'], ceiling),
    ...findRules(options['allowedTools'], ceiling),
    ...findWeaker(options, ceiling),
    ...findCommands(options['expects'], hasSetup, ceiling),
  ];
  if (problems.length > 0) throw invalidConfig(problems);
}

function findUnknown(options: TravellingOptions): ConfigProblem[] {
  const known: readonly string[] = TRAVELLING_KEYS;
  return Object.keys(options)
    .filter((key) => !known.includes(key))
    .map((key) => toProblem([key], '(hidden)', 'is not taken from a job by this worker'));
}

function findMode(mode: unknown, { approvalMode }: Ceiling): ConfigProblem[] {
  if (mode === undefined) return [];
  const names: readonly unknown[] = MODES;
  const index = names.indexOf(mode);
  if (index >= 0 && index <= MODES.indexOf(approvalMode)) return [];
  const problem = `is more than this worker allows (${approvalMode}): raise its \`allow.approvalMode\` (\`worker --approval-mode\`)`;
  return [toProblem(['approvalMode'], mode, problem)];
}

function findRules(rules: unknown, { approvalMode, allowedTools }: Ceiling): ConfigProblem[] {
  if (approvalMode === 'yolo' || rules === undefined) return [];
  const list: readonly unknown[] = Array.isArray(rules) ? rules : [rules];
  const refused = list.filter((rule) => typeof rule !== 'string' || !allowedTools.includes(rule));
  if (refused.length === 0) return [];
  const problem =
    'has rules that this worker does not allow: add them to its `allow.allowedTools` (`worker --allowed-tools`)';
  return [toProblem(['allowedTools'], refused, problem)];
}

function findWeaker(options: TravellingOptions, { weakerProtection }: Ceiling): ConfigProblem[] {
  if (weakerProtection) return [];
  const { allowRedirection, protectedPaths } = options;
  const problem =
    'weakens a protection of this worker: set its `allow.weakerProtection` (`worker --allow-redirection`)';
  const paths: readonly unknown[] = Array.isArray(protectedPaths) ? protectedPaths : [];
  const isOpen = protectedPaths === false || paths.some((it) => String(it).startsWith('!'));
  const mayRedirect = allowRedirection !== undefined && allowRedirection !== false;
  return [
    ...(mayRedirect ? [toProblem(['allowRedirection'], allowRedirection, problem)] : []),
    ...(isOpen ? [toProblem(['protectedPaths'], protectedPaths, problem)] : []),
  ];
}

function findCommands(expects: unknown, hasSetup: boolean, { commands }: Ceiling): ConfigProblem[] {
  if (commands) return [];
  const problem =
    'runs a command, which this worker does not allow: set its `allow.commands` (`worker` without `--no-commands`)';
  const hasCommand = isObject(expects) && expects['command'] !== undefined;
  return [
    ...(hasCommand ? [toProblem(['expects', 'command'], '(hidden)', problem)] : []),
    ...(hasSetup ? [toProblem(['setup'], '(hidden)', problem)] : []),
  ];
}
