import type { RemoteRequest, RemoteRule } from '../../../api/remote-request.js';
import { cutTitle } from '../../session/cut-title.js';

const MOST_CHARACTERS = 80;

/** What `allow-for-session` would allow: its name for display, and whether the name was shortened. */
export interface RuleWords {
  readonly name: string;
  /** What the name does not say. */
  readonly remark?: string | undefined;
}

/** Describes the rule that a request offers. Undefined if it offers none. */
export function describeRule({
  rule,
  command,
}: Pick<RemoteRequest, 'rule' | 'command'>): RuleWords | undefined {
  if (rule === undefined) return undefined;
  const name = cutTitle(rule, MOST_CHARACTERS);
  // The dots of a short name must not look like those of a rule for further words.
  const isExact = command !== undefined && rule === command;
  return isExact ? { name, remark: 'this command, word for word' } : { name };
}

/** Returns a rule that was made, as its request has named it. */
export function nameRule({ commandPrefix, command, toolName }: RemoteRule): string {
  return commandPrefix === undefined
    ? cutTitle(command ?? toolName, MOST_CHARACTERS)
    : `${commandPrefix} …`;
}
