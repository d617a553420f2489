import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCliHome } from '../../src/testing/cli-home.js';

async function open(settings: Record<string, unknown>) {
  const home = await createCliHome('http://127.0.0.1:1', settings);
  onTestFinished(() => home.remove());
  const file = join(home.path, '.gemini', 'settings.json');
  return { home, settings: JSON.parse(readFileSync(file, 'utf8')) };
}

describe('a home for the CLI', () => {
  it('is private and new each time, and may be removed twice', async () => {
    const [{ home: one }, { home: two }] = [await open({}), await open({})];
    expect(one.path).not.toBe(two.path);
    expect(statSync(one.path).mode & 0o777).toBe(0o700);
    await one.remove();
    await one.remove();
    expect([existsSync(one.path), existsSync(two.path)]).toEqual([false, true]);
  });

  it('has settings of its own, into which ours are merged at every depth', async () => {
    const { settings } = await open({
      security: { auth: { extra: 1 }, disableYoloMode: true },
      general: 'replaced',
      hooks: { BeforeTool: [1] },
    });
    expect(settings).toEqual({
      security: { auth: { selectedType: 'gemini-api-key', extra: 1 }, disableYoloMode: true },
      privacy: { usageStatisticsEnabled: false },
      general: 'replaced',
      hooks: { BeforeTool: [1] },
    });
  });

  it('may be given another way to authenticate', async () => {
    const { settings } = await open({ security: { auth: { selectedType: 'vertex-ai' } } });
    expect(settings.security.auth.selectedType).toBe('vertex-ai');
  });
});
