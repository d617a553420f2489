import { join } from 'node:path';
import { readIfThere } from '../../base/fs/read-if-there.js';
import { blankJsonComments } from '../../base/json/blank-json-comments.js';
import { isObject } from '../../base/json/is-object.js';
import { valueAt } from '../../base/json/value-at.js';

/** Parsed settings file of the CLI, which is JSON with comments. */
export interface SettingsFile {
  readonly path: string;
  readonly content: Readonly<Record<string, unknown>>;
}

export interface Settings {
  readonly user: SettingsFile | undefined;
  /** Settings of the working directory; undefined if that is the user's home. */
  readonly project: SettingsFile | undefined;
}

export interface LoadedSettings extends Settings {
  /** Paths of files that are not JSON objects: the CLI exits with 52 because of them. */
  readonly broken: readonly string[];
}

export function loadSettings(geminiHome: string, workingDir: string): LoadedSettings {
  const broken: string[] = [];
  const load = (path: string): SettingsFile | undefined => {
    const text = readIfThere(path);
    if (text === undefined) return undefined;
    const content = parseJsonObject(text);
    if (content === undefined) broken.push(path);
    return content && { path, content };
  };
  const paths = settingsPaths(geminiHome, workingDir);
  const project = paths.project === paths.user ? undefined : load(paths.project);
  return { project, user: load(paths.user), broken };
}

export function settingsPaths(geminiHome: string, workingDir: string) {
  const user = join(geminiHome, 'settings.json');
  return { user, project: join(workingDir, '.gemini', 'settings.json') };
}

/** Returns the settings files that the CLI uses. The project's file comes first, because it overrides the user's. */
export function settingsInForce(
  { user, project }: Settings,
  readsProject: boolean,
): SettingsFile[] {
  return [readsProject ? project : undefined, user].filter((file) => file !== undefined);
}

/** Returns the first value that the files have for a key path such as `security.auth.selectedType`. */
export function findSetting(files: readonly SettingsFile[], path: string): unknown {
  for (const { content } of files) {
    const value = valueAt(content, path.split('.'));
    if (value !== undefined) return value;
  }
  return undefined;
}

export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(blankJsonComments(text));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
