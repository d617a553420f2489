import type { ConfigProblem } from '../../api/error.js';
import type { Expectations } from '../../api/expectations.js';
import type { ApprovalMode } from '../../api/provider-config.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { splitCommandLine } from '../../config/command-line.js';
import { toProblem } from '../../config/config-problem.js';
import { isShellRule, parseToolRule, type ToolRule } from '../../config/tool-rule.js';

/** Modes in the order of what they allow. */
const MODES: readonly ApprovalMode[] = ['plan', 'default', 'auto_edit', 'yolo'];

/** What the configuration of the server lets a caller ask for. */
export class CallCeiling {
  readonly approvalMode: ApprovalMode;
  readonly #rules: readonly string[];
  readonly #shellRules: readonly ToolRule[];

  /** Takes a mode that is checked already, or undefined for the default. */
  constructor(approvalMode: unknown, allowedTools: readonly string[]) {
    this.approvalMode = MODES.find((mode) => mode === approvalMode) ?? 'auto_edit';
    this.#rules = allowedTools;
    this.#shellRules = allowedTools.flatMap((text) => {
      const rule = parseToolRule(text);
      return rule !== undefined && isShellRule(rule) ? rule : [];
    });
  }

  /** True if steps may write files. */
  get mayEdit(): boolean {
    return isWithin('auto_edit', this.approvalMode);
  }

  /** Shell commands that steps may run: all, those of some rules, or none. */
  get shell(): 'all' | 'some' | 'none' {
    if (this.approvalMode === 'yolo') return 'all';
    if (this.#shellRules.some(({ commandPrefix }) => commandPrefix === undefined)) return 'all';
    return this.#shellRules.length > 0 ? 'some' : 'none';
  }

  /** Returns mode and tools of a step that edits. Throws INVALID_CONFIG if it asks for a shell that it may not have. */
  editOptions(allowShell: boolean): {
    readonly approvalMode: ApprovalMode;
    readonly allowedTools: readonly string[];
  } {
    if (allowShell && this.shell === 'none') throw noShell();
    const chosen = allowShell ? this : this.withoutShell();
    return { approvalMode: chosen.approvalMode, allowedTools: chosen.#rules };
  }

  /** Returns a lower ceiling: steps may edit, and run no shell command. */
  withoutShell(): CallCeiling {
    const rules = this.#rules.filter((text) => {
      const rule = parseToolRule(text);
      return rule !== undefined && !isShellRule(rule);
    });
    return new CallCeiling('auto_edit', rules);
  }

  /** Finds settings of a step in a plan that ask for more than the server allows. */
  findProblems(config: Readonly<Record<string, unknown>>): ConfigProblem[] {
    const { approvalMode: mode, allowedTools: rules } = config;
    const problems: ConfigProblem[] = [];
    if (mode !== undefined && !isWithin(mode, this.approvalMode)) {
      const problem = `is more than this server allows (${this.approvalMode}): start it with another --approval-mode`;
      problems.push(toProblem(['approvalMode'], mode, problem));
    }
    const given: readonly unknown[] = Array.isArray(rules) ? rules : [];
    const refused = given.filter((rule) => typeof rule !== 'string' || !this.#rules.includes(rule));
    if (refused.length > 0 && this.approvalMode !== 'yolo') {
      const problem = 'has rules that this server does not allow: start it with --allowed-tools';
      problems.push(toProblem(['allowedTools'], refused, problem));
    }
    return problems;
  }

  /** Finds commands of `expects` that this server does not let run: they run on this machine, as shell commands do. */
  findCommandProblems(commands: Expectations['command'], allowShell: boolean): ConfigProblem[] {
    const list = commands === undefined ? [] : [commands].flat();
    const refused = list.filter((command) => !(allowShell && this.#mayRun(toWords(command))));
    if (refused.length === 0) return [];
    const problem =
      'runs a command that this server does not allow: set allowShell, and start the server with --allowed-tools "run_shell_command(…)" or --approval-mode yolo';
    return [toProblem(['expects', 'command'], refused, problem)];
  }

  #mayRun(words: readonly string[]): boolean {
    if (this.shell === 'all') return true;
    return this.#shellRules.some(({ commandPrefix = '' }) => {
      const prefix = commandPrefix.split(/\s+/);
      return prefix.every((word, index) => words[index] === word);
    });
  }
}

function isWithin(mode: unknown, ceiling: ApprovalMode): boolean {
  return MODES.slice(0, MODES.indexOf(ceiling) + 1).some((allowed) => allowed === mode);
}

type Command = Exclude<Expectations['command'], undefined | readonly unknown[]>;

function toWords(command: Command): readonly string[] {
  if (typeof command !== 'string') return [command.command, ...(command.args ?? [])];
  const split = splitCommandLine(command);
  return 'problem' in split ? [] : [split.command, ...split.args];
}

function noShell(): ProviderError {
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: 'This server does not let steps run shell commands',
    hint: 'Leave allowShell out, or start the server with --allowed-tools "run_shell_command(npm test)" for single commands, or with --approval-mode yolo for all.',
  });
}
