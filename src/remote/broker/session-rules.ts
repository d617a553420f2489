import { randomUUID } from 'node:crypto';
import type { RemoteRequest, RemoteRule } from '../../api/remote-request.js';
import { digestJson } from '../../base/json/digest-json.js';
import { findCommandScope, isInScope } from './command-scope.js';

type Call = Pick<RemoteRequest, 'sessionId' | 'toolName' | 'command' | 'input'>;
type Scope = Pick<RemoteRule, 'toolName' | 'commandPrefix' | 'command' | 'inputHash'>;

const SHELL = 'run_shell_command';

/** Rules that a person has made by `allow-for-session`. They belong to one session, can be revoked, and end with the session. */
export class SessionRules {
  readonly #rules = new Map<string, RemoteRule>();

  list(): readonly RemoteRule[] {
    return [...this.#rules.values()];
  }

  /** True if there is a rule with this id. */
  has(id: string): boolean {
    return this.#rules.has(id);
  }

  /** Makes the rule for a call. Returns undefined for a call for which no rule is safe: it is then allowed once. */
  create(call: Call, by: string): RemoteRule | undefined {
    const scope = findScope(call);
    if (scope === undefined) return undefined;
    const known = this.list().find(
      (rule) => rule.sessionId === call.sessionId && isSame(rule, scope),
    );
    if (known !== undefined) return known;
    const { sessionId } = call;
    const rule = { id: randomUUID(), sessionId, ...scope, by, createdAt: new Date().toISOString() };
    this.#rules.set(rule.id, rule);
    return rule;
  }

  /** Takes over a rule from the log of a session. */
  restore(rule: RemoteRule): void {
    this.#rules.set(rule.id, rule);
  }

  /** Removes a rule. Returns undefined if there is none with this id. */
  revoke(id: string): RemoteRule | undefined {
    const rule = this.#rules.get(id);
    this.#rules.delete(id);
    return rule;
  }

  /** Removes all rules of a session. */
  endSession(sessionId: string): readonly RemoteRule[] {
    const ended = this.list().filter((rule) => rule.sessionId === sessionId);
    for (const { id } of ended) this.#rules.delete(id);
    return ended;
  }

  /** Returns the rule that allows a call. */
  find(call: Call): RemoteRule | undefined {
    return this.list().find((rule) => allows(rule, call));
  }
}

/** Says what a rule for a call would allow. Undefined for a call for which no rule is safe. */
export function describeScope(call: Call): string | undefined {
  const scope = findScope(call);
  if (scope === undefined) return undefined;
  const { commandPrefix, command, toolName } = scope;
  return commandPrefix === undefined ? (command ?? toolName) : `${commandPrefix} …`;
}

/** A rule for a command allows its program, or this command alone, in the same folder. Any other rule allows a tool. */
function findScope(call: Call): Scope | undefined {
  const { toolName, command } = call;
  // A call of an unknown tool, and a shell call without its command, could be anything.
  if (toolName === '' || (toolName === SHELL && command === undefined)) return undefined;
  if (command === undefined) return { toolName };
  const commandPrefix = findCommandScope(command);
  const inputHash = hashOthers(call);
  return commandPrefix === undefined
    ? { toolName, command, inputHash }
    : { toolName, commandPrefix, inputHash };
}

function allows(rule: RemoteRule, call: Call): boolean {
  if (rule.sessionId !== call.sessionId || rule.toolName !== call.toolName) return false;
  const { command } = call;
  if (command === undefined) return rule.inputHash === undefined;
  if (rule.inputHash !== hashOthers(call)) return false;
  return rule.commandPrefix === undefined
    ? rule.command === command
    : isInScope(command, rule.commandPrefix);
}

function isSame(rule: RemoteRule, { toolName, commandPrefix, command, inputHash }: Scope): boolean {
  return (
    rule.toolName === toolName &&
    rule.commandPrefix === commandPrefix &&
    rule.command === command &&
    rule.inputHash === inputHash
  );
}

/** Returns the hash of all arguments but the command and the description, which the model words anew each time. */
function hashOthers({ input }: Call): string {
  const { description: _, command: _command, ...others } = input;
  return digestJson(others);
}
