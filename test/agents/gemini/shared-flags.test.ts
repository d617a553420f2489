import { describe, expect, it } from 'vitest';
import { buildSharedFlags } from '../../../src/agents/gemini/shared-flags.js';

const allowedTools = [{ tool: 'run_shell_command', commandPrefix: 'git' }];

describe('the flags of both drivers', () => {
  it('are none without options', () => {
    const config = { sandbox: false, allowedTools: [] } as const;
    const features = { policy: false };
    expect(buildSharedFlags({ config, features, includeDirectories: [] })).toEqual([]);
  });

  it('have the sandbox and each folder', () => {
    const config = { sandbox: true, allowedTools } as const;
    const features = { policy: true };
    expect(buildSharedFlags({ config, features, includeDirectories: ['/a', '/-b'] })).toEqual([
      '--sandbox',
      '--include-directories=/a',
      '--include-directories=/-b',
    ]);
  });

  it('have the allowed tools if the CLI has no policies; a named sandbox is a variable', () => {
    const config = { sandbox: 'docker', allowedTools } as const;
    const features = { policy: false };
    expect(buildSharedFlags({ config, features, includeDirectories: [] })).toEqual([
      '--allowed-tools=run_shell_command(git)',
    ]);
  });
});
