import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assertReadableSettings } from '../../../src/agents/gemini/assert-readable-settings.js';
import { failureOf, makeFolder, makePipe } from '../../fixtures/cli/support.js';

describe('settings files', () => {
  it('that are files, folders or missing are left to the CLI', () => {
    const home = makeFolder({ 'settings.json': 'not json' });
    const workspace = makeFolder();
    assertReadableSettings(home, workspace);
    mkdirSync(join(workspace, '.gemini', 'settings.json'), { recursive: true });
    assertReadableSettings(home, workspace);
  });

  it.each(['user', 'project'])(
    'that are a FIFO in the folder of the %s are CLI_CONFIG at once (claim: settings-are-cli-config)',
    async (whose) => {
      const pipe = makePipe();
      const [home, workspace] = [makeFolder(), makeFolder({ '.gemini/x': '' })];
      const file = whose === 'user' ? home : join(workspace, '.gemini');
      symlinkSync(pipe, join(file, 'settings.json'));
      expect(await failureOf(() => assertReadableSettings(home, workspace))).toMatchObject({
        code: 'CLI_CONFIG',
        retryable: false,
        message: `${join(file, 'settings.json')} is not a regular file`,
      });
    },
  );
});
