import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveStep } from '../../src/agents/resolve-step.js';
import { resolveConfig } from '../../src/config/resolve-config.js';
import { beginComparison } from '../../src/step/workspace-comparison.js';
import { addFiles, makeFolder, program } from '../fixtures/cli/support.js';

const REQUEST = { generationId: 'generation-1', context: {} };
const NOT_COMPARED = { changes: undefined, warnings: [] };

async function begin(
  config: Record<string, unknown>,
  workingDir = makeFolder(),
  version: string | undefined = '0.61.0',
) {
  const env = { GEMINI_CLI_HOME: workingDir };
  const values = { workingDir, cliPath: program('quick.sh'), env, ...config };
  const resolved = await resolveStep({ ...REQUEST, config: resolveConfig(values) }, process.env);
  const compare = await beginComparison({ ...resolved, cli: { ...resolved.cli, version } });
  return { workingDir, compare };
}

describe('the comparison of the workspace', () => {
  it.each([
    [{ approvalMode: 'yolo' }],
    [{ workspaceScan: 'always' }],
    [{ allowedTools: ['run_shell_command(npm test)'] }],
    [{ allowedTools: ['mcp_server_tool'] }],
    [{ extraArgs: ['--policy=/p.toml'] }],
    [{ extraArgs: ['--admin-policy', '/p.toml'] }],
  ])('is made with %j', async (config) => {
    const { workingDir, compare } = await begin(config);
    addFiles(workingDir, { 'a.txt': '', '.gemini/tmp/x.json': '' });
    const changes = [{ path: join(workingDir, 'a.txt'), before: null }];
    expect(await compare([])).toEqual({ changes, warnings: [] });
  });

  it.each([
    [{}],
    [{ approvalMode: 'plan' }],
    [{ allowedTools: ['write_file', 'read_file'] }],
    [{ approvalMode: 'yolo', workspaceScan: 'off' }],
    [{ extraArgs: ['--debug'] }],
  ])('is not made with %j', async (config) => {
    expect(await (await begin(config)).compare([])).toEqual(NOT_COMPARED);
  });

  it('is made for a CLI that does not report its tool calls', async () => {
    const old = await begin({}, makeFolder(), '0.10.0');
    expect((await old.compare([])).changes).toEqual([]);
    const off = await begin({ workspaceScan: 'off' }, makeFolder(), '0.10.0');
    expect(await off.compare([])).toEqual(NOT_COMPARED);
  });

  it('does not start after an abort', async () => {
    const config = resolveConfig({
      workingDir: makeFolder({ 'a.txt': '' }),
      cliPath: program('quick.sh'),
      approvalMode: 'yolo',
    });
    const resolved = await resolveStep({ ...REQUEST, config }, process.env);
    await expect(beginComparison(resolved, AbortSignal.abort('enough'))).rejects.toBe('enough');
  });

  it('gives a warning if it fails', async () => {
    const folder = makeFolder();
    execFileSync('git', ['init', '-q', folder]);
    const { compare } = await begin({ approvalMode: 'yolo' }, folder);
    rmSync(join(folder, '.git'), { recursive: true });
    writeFileSync(join(folder, '.git'), 'not a repository any more');
    expect(await compare([])).toEqual({
      changes: undefined,
      warnings: [
        {
          code: 'WORKSPACE_NOT_COMPARED',
          message: expect.stringContaining('git does not answer any more'),
        },
      ],
    });
  });
});
