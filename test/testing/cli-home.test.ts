import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCliHome } from '../../src/testing/cli-home.js';

async function open(settings: Record<string, unknown>) {
  const home = await createCliHome(settings);
  onTestFinished(() => home.remove());
  const file = join(home.path, '.gemini', 'settings.json');
  return { home, settings: JSON.parse(readFileSync(file, 'utf8')) };
}

describe('a home for the CLI', () => {
  it('is a new private folder each time and may be removed twice', async () => {
    const [{ home: one }, { home: two }] = [await open({}), await open({})];
    expect(one.path).not.toBe(two.path);
    expect(statSync(one.path).mode & 0o777).toBe(0o700);
    await one.remove();
    await one.remove();
    expect([existsSync(one.path), existsSync(two.path)]).toEqual([false, true]);
  });

  it('has default settings, into which the given ones are merged at every depth', async () => {
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

  it('points the CLI at the given address', async () => {
    const { home } = await open({});
    expect(home.envFor('http://127.0.0.1:1')).toMatchObject({
      GEMINI_CLI_HOME: home.path,
      GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:1',
    });
  });

  it('may use another login type', async () => {
    const { settings } = await open({ security: { auth: { selectedType: 'vertex-ai' } } });
    expect(settings.security.auth.selectedType).toBe('vertex-ai');
  });
});

describe('settings that cannot be written', () => {
  it.each([
    [{ a: 1n }, 'settings must be JSON'],
    [[], 'settings must be an object'],
  ])('are refused before the home is created (%#)', async (settings, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'homes-'));
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
    });
    const create = async () => Reflect.apply(createCliHome, undefined, [settings]);
    await expect(create()).rejects.toThrow(message);
    expect(readdirSync(folder)).toEqual([]);
  });
});
