import type { ErrorCode } from '../../api/error.js';

/** What to do with an agent of which nothing is known but its name. */
export function createAgentHints(name: string): Partial<Record<ErrorCode, string>> {
  return {
    AUTH: `Give ${name} what it logs in with: variables by \`env\`, its own login, or \`authMethod\`.`,
    CLI_NOT_FOUND: 'Set `command` to an executable, by its path or by its name on PATH.',
    EMPTY_RESPONSE: `${name} gave no answer: try again, or use another \`model\`.`,
    TURN_LIMIT: `Raise the limit in the settings of ${name}, or ask for less in one step.`,
    QUOTA_EXHAUSTED:
      'The quota is used up: wait for it to be renewed, or use another `model` or key.',
    PROTOCOL: `Look at \`stderrTail\`, and check that \`command\` and \`args\` start ${name} as an ACP agent.`,
  };
}
