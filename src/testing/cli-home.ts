import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '../base/json/is-object.js';
import { checkJsonValue, checkRecord } from './check-value.js';

/** API key for the scripted model. The CLI requires one; the model does not check it. */
const SCRIPTED_KEY = 'scripted-model-needs-no-key';

export interface CliHome {
  readonly path: string;
  /** Returns the environment variables that point the CLI at this home and at the model's address. */
  envFor(baseUrl: string): Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Creates a new home for the CLI, so that the user's settings, login and sessions are neither read nor changed. */
export async function createCliHome(settings: Settings): Promise<CliHome> {
  const merged = mergeSettings(
    {
      // Without `selectedType` the CLI takes the base URL for a gateway and refuses to start.
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    },
    checkRecord(settings, 'settings'),
  );
  const text = checkJsonValue(merged, 'settings');
  const path = await mkdtemp(join(tmpdir(), 'gemini-home-'));
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await mkdir(join(path, '.gemini'));
    await writeFile(join(path, '.gemini', 'settings.json'), text);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    path,
    envFor: (baseUrl) => ({
      GEMINI_CLI_HOME: path,
      GEMINI_API_KEY: SCRIPTED_KEY,
      GOOGLE_GEMINI_BASE_URL: baseUrl,
    }),
    remove,
  };
}

type Settings = Readonly<Record<string, unknown>>;

function mergeSettings(base: Settings, more: Settings): Settings {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(more)) {
    const present = merged[key];
    merged[key] = isObject(present) && isObject(value) ? mergeSettings(present, value) : value;
  }
  return merged;
}
