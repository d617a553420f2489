import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runMain } from '../fixtures/cli/support.js';

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

describe('the program', () => {
  it('prints its version', async () => {
    expect(await runMain(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('exits with 2 after wrong use', async () => {
    const { code, stdout, stderr } = await runMain(['run', '--modle', 'x']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Did you mean --model?');
    expect(stderr).toContain('--help');
  });

  it('prints its help without arguments', async () => {
    const { code, stderr } = await runMain([]);
    expect(code).toBe(2);
    for (const command of ['run', 'explain', 'doctor']) expect(stderr).toContain(`  ${command} `);
  });
});
