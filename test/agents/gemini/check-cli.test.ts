import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkCli } from '../../../src/agents/gemini/check-cli.js';
import { failureOf, makeFolder } from '../../fixtures/cli/support.js';

function check(version: string) {
  const workingDir = makeFolder({ 'gemini*': `#!/bin/sh\necho ${version}\n` });
  const cliPath = join(workingDir, 'gemini');
  const result = () => checkCli({ config: { cliPath }, workingDir, environment: {}, env: {} });
  return { cliPath, result };
}

describe('the CLI that was found', () => {
  it.each(['0.6.1', '0.61.0', '0.7.0-nightly.20250918', '1.0.0'])(
    'can be used (%s)',
    async (version) => {
      const { cliPath, result } = check(version);
      expect(await result()).toMatchObject({ location: { path: cliPath }, version });
    },
  );

  it('can be used if it does not report its version', async () => {
    expect((await check('hello').result()).version).toBeUndefined();
  });

  it.each(['0.6.0', '0.5.9', '0.1.22'])('is refused if it is too old (%s)', async (version) => {
    const { cliPath, result } = check(version);
    expect(await failureOf(result)).toMatchObject({
      code: 'CLI_NOT_FOUND',
      message: `The CLI at ${cliPath} has version ${version}, which is too old`,
      hint: 'Install @google/gemini-cli 0.6.1 or newer.',
    });
  });
});
