import { describe, expect, it } from 'vitest';
import { findGeminiTool } from '../../src/agents/gemini/gemini-tools.js';
import { acceptConfig } from '../../src/config/accept-config.js';
import {
  findToolNameProblem,
  GEMINI_TOOL_NAMES,
  OTHER_TOOL_NAMES,
  toGeminiRules,
} from '../../src/config/tool-names.js';
import { toClaudeTool } from '../../src/sessions/messages/claude-tools.js';
import { failureOf } from '../fixtures/cli/support.js';

const rulesOf = (config: object) => {
  const { allowedTools, deniedTools } = acceptConfig(config, {}, 'gemini').config;
  return { allowedTools, deniedTools };
};

describe('the names of tools', () => {
  it('are those of the wing agents', () => {
    expect(GEMINI_TOOL_NAMES.filter((name) => findGeminiTool(name) === undefined)).toEqual([]);
    const meant = Object.values(OTHER_TOOL_NAMES).flat();
    expect(meant.filter((name) => !GEMINI_TOOL_NAMES.includes(name))).toEqual([]);
  });

  it('of Claude are understood for every tool that messages translate', () => {
    for (const name of GEMINI_TOOL_NAMES) {
      const { name: claude } = toClaudeTool(name, {});
      if (claude === name) continue;
      expect(findToolNameProblem(claude)).toBeUndefined();
      expect(toGeminiRules(claude)).not.toEqual([claude]);
    }
  });
});

describe('a rule for a tool', () => {
  it.each([
    ['Write', ['write_file']],
    ['Edit', ['replace', 'write_file']],
    ['Bash', ['run_shell_command']],
    ['Bash(npm test:*)', ['run_shell_command(npm test)']],
    ['Bash(git log *)', ['run_shell_command(git log)']],
    ['mcp__github__create_issue', ['mcp_github_create_issue']],
    ['mcp__github', ['mcp_github_*']],
    ['WriteFileTool', ['write_file']],
    ['write_file', ['write_file']],
    ['toString', ['toString']],
  ])('%s means %j', (rule, meant) => {
    expect(toGeminiRules(rule)).toEqual(meant);
  });

  it('in the names of Claude is applied', () => {
    expect(rulesOf({ allowedTools: ['Bash(npm test:*)'], deniedTools: 'Edit' })).toEqual({
      allowedTools: [
        { tool: 'run_shell_command', commandPrefix: 'npm test', allowsRedirection: false },
      ],
      deniedTools: [
        { tool: 'replace', commandPrefix: undefined },
        { tool: 'write_file', commandPrefix: undefined },
      ],
    });
  });

  it.each(['WriteFile', 'write_fil', 'ReadFile'])(
    '%s is refused with a suggestion',
    async (rule) => {
      expect(await failureOf(() => rulesOf({ allowedTools: [rule] }))).toMatchObject({
        code: 'INVALID_CONFIG',
        problems: [{ key: 'allowedTools.0', problem: expect.stringContaining('Did you mean') }],
      });
    },
  );

  it('of an extension is logged, and refused if the configuration is strict', async () => {
    const logged: string[] = [];
    const log = (_fields: object, message: string) => void logged.push(message);
    const logger = { debug: log, info: log, warn: log, error: log };
    rulesOf({ allowedTools: ['my_company_search', 'mcp_a_b', 'edit', 'my_*'], logger });
    expect(logged).toEqual([
      'allowedTools: "my_company_search" is not a built-in tool of the Gemini CLI.',
    ]);
    expect(
      await failureOf(() => rulesOf({ allowedTools: ['my_company_search'], strict: true })),
    ).toMatchObject({ code: 'INVALID_CONFIG' });
  });

  it('of another agent is neither mapped nor checked', () => {
    expect(acceptConfig({ allowedTools: ['Edit', 'WriteFile'] }).config.allowedTools).toEqual([
      { tool: 'Edit', commandPrefix: undefined },
      { tool: 'WriteFile', commandPrefix: undefined },
    ]);
  });
});
