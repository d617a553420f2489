import { describe, expect, it } from 'vitest';
import { readCliSettings } from '../../../src/agents/gemini/cli-settings.js';
import { type Files, makeFolder } from '../../fixtures/cli/support.js';

interface Case {
  readonly home?: Files;
  readonly project?: Files;
  readonly isTrusted?: boolean;
}

function read({ home = {}, project = {}, isTrusted = true }: Case) {
  const env = { GEMINI_CLI_TRUST_WORKSPACE: String(isTrusted) };
  return readCliSettings({ env, geminiHome: makeFolder(home), workingDir: makeFolder(project) });
}

const settings = (content: object) => JSON.stringify(content);

describe('hooks', () => {
  const hooks = settings({ hooks: { BeforeTool: [{}] } });

  it.each<[string, Case]>([
    ['the settings of the user', { home: { 'settings.json': hooks } }],
    ['the settings of a trusted project', { project: { '.gemini/settings.json': hooks } }],
    ['an extension', { home: { 'extensions/x/hooks/hooks.json': '{}' } }],
    ['an extension of the project', { project: { '.gemini/extensions/x/hooks/hooks.json': '{}' } }],
  ])('are found in %s', (_where, files) => {
    expect(read(files).hasHooks).toBe(true);
  });

  it.each<[string, Case]>([
    ['nothing at all', {}],
    ['empty settings', { home: { 'settings.json': settings({ hooks: {} }) } }],
    ['odd settings', { home: { 'settings.json': settings({ hooks: 'x' }) } }],
    ['an extension without any', { home: { 'extensions/x/gemini-extension.json': '{}' } }],
    [
      'a project that is not trusted',
      {
        project: { '.gemini/settings.json': hooks, '.gemini/extensions/x/hooks/hooks.json': '{}' },
        isTrusted: false,
      },
    ],
  ])('are not found in %s', (_where, files) => {
    expect(read(files).hasHooks).toBe(false);
  });
});

describe('tools that the settings allow', () => {
  it('come from the user and from a trusted project', () => {
    const files = {
      home: { 'settings.json': settings({ tools: { allowed: ['a', 7, 'b'] } }) },
      project: { '.gemini/settings.json': settings({ tools: { allowed: ['c'] } }) },
    };
    expect(read(files).allowedTools).toEqual(['c', 'a', 'b']);
    expect(read({ ...files, isTrusted: false }).allowedTools).toEqual(['a', 'b']);
  });

  it('include mcp_* if there are MCP servers, and * if there are policies', () => {
    const servers = { 'settings.json': settings({ mcpServers: { x: {} } }) };
    expect(read({ home: servers }).allowedTools).toEqual(['mcp_*']);
    expect(read({ home: { 'settings.json': settings({ mcpServers: {} }) } }).allowedTools).toEqual(
      [],
    );
    expect(read({ home: { 'policies/x.toml': '' } }).allowedTools).toEqual(['*']);
    expect(read({ home: { 'policies/x.txt': '' } }).allowedTools).toEqual([]);
    const project = { '.gemini/policies/x.toml': '' };
    expect(read({ project }).allowedTools).toEqual(['*']);
    expect(read({ project, isTrusted: false }).allowedTools).toEqual([]);
  });

  it('are empty if the settings have an unexpected shape', () => {
    const home = { 'settings.json': settings({ tools: { allowed: 'all' } }) };
    expect(read({ home })).toMatchObject({ allowedTools: [], trust: { isTrusted: true } });
  });
});
