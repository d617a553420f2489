import { randomUUID } from 'node:crypto';
import type { RemoteRequest, RemoteRule } from '../../api/remote-request.js';

type Call = Pick<RemoteRequest, 'sessionId' | 'toolName' | 'command'>;

/** Characters that join, substitute or redirect. A rule never allows a command that has one of them. */
const COMPOUND = /[;&|<>`$()\n\r\\]/;

/** Programs whose first argument decides what they do. A rule for `git` alone would allow too much. */
const WITH_SUBCOMMAND: ReadonlySet<string> = new Set([
  ...['bun', 'cargo', 'docker', 'gh', 'git', 'go', 'kubectl', 'make', 'npm', 'pip', 'pnpm', 'yarn'],
]);

/** Programs that run any other program. No rule is made for them. */
const RUNS_ANYTHING: ReadonlySet<string> = new Set([
  ...[
    'bash',
    'deno',
    'env',
    'eval',
    'exec',
    'node',
    'npx',
    'perl',
    'python',
    'python3',
    'ruby',
    'sh',
    'ssh',
  ],
  ...['sudo', 'xargs', 'zsh'],
]);

/** Rules that a person has made by `allow-for-session`. They belong to one session, can be revoked, and end with the session. */
export class SessionRules {
  readonly #rules = new Map<string, RemoteRule>();

  list(): readonly RemoteRule[] {
    return [...this.#rules.values()];
  }

  /** Makes the rule for a call. Returns undefined for a call for which no rule is safe: it is then allowed once. */
  create(call: Call, by: string): RemoteRule | undefined {
    const { sessionId, toolName } = call;
    const commandPrefix = call.command === undefined ? undefined : findPrefix(call.command);
    if (call.command !== undefined && commandPrefix === undefined) return undefined;
    const known = this.list().find((rule) => {
      return (
        rule.sessionId === sessionId &&
        rule.toolName === toolName &&
        rule.commandPrefix === commandPrefix
      );
    });
    if (known !== undefined) return known;
    const createdAt = new Date().toISOString();
    const rule = { id: randomUUID(), sessionId, toolName, commandPrefix, by, createdAt };
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

function allows({ sessionId, toolName, commandPrefix }: RemoteRule, call: Call): boolean {
  if (sessionId !== call.sessionId || toolName !== call.toolName) return false;
  if (commandPrefix === undefined) return call.command === undefined;
  const { command } = call;
  if (command === undefined || COMPOUND.test(command)) return false;
  return command === commandPrefix || command.startsWith(`${commandPrefix} `);
}

/** Returns the first words of a command that a rule may allow, or undefined if the command could run anything. */
function findPrefix(command: string): string | undefined {
  if (COMPOUND.test(command)) return undefined;
  const words = command.trim().split(/\s+/);
  const [program = '', subcommand] = words;
  // An assignment before the program, a path or quotes hide what runs.
  if (!/^[\w.+-]+$/.test(program) || program.includes('=') || RUNS_ANYTHING.has(program))
    return undefined;
  if (!WITH_SUBCOMMAND.has(program)) return program;
  return subcommand !== undefined && /^[a-z][\w:-]*$/.test(subcommand)
    ? `${program} ${subcommand}`
    : undefined;
}
