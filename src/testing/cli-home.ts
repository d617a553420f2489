import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Long enough to look like a key, and plainly none. */
const SCRIPTED_KEY = 'scripted-model-needs-no-key';

export interface CliHome {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** A home of the CLI's own: nothing of the person's settings, login or sessions is read or changed. */
export async function createCliHome(
  baseUrl: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<CliHome> {
  const path = await mkdtemp(join(tmpdir(), 'gemini-home-'));
  await mkdir(join(path, '.gemini'));
  const merged = mergeSettings(
    {
      // Without this the CLI takes a base URL for a gateway and refuses to start.
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    },
    settings,
  );
  await writeFile(join(path, '.gemini', 'settings.json'), JSON.stringify(merged, undefined, 2));
  return {
    path,
    env: {
      GEMINI_CLI_HOME: path,
      GEMINI_API_KEY: SCRIPTED_KEY,
      GOOGLE_GEMINI_BASE_URL: baseUrl,
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

type Settings = Readonly<Record<string, unknown>>;

function mergeSettings(base: Settings, more: Settings): Settings {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(more)) {
    const present = merged[key];
    merged[key] = isSettings(present) && isSettings(value) ? mergeSettings(present, value) : value;
  }
  return merged;
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
