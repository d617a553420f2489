import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import stripJsonComments from 'strip-json-comments';
import { type Finding, problem } from './finding.js';

/** A settings file of the CLI: JSON with comments. */
export interface SettingsFile {
  readonly path: string;
  readonly content: Readonly<Record<string, unknown>>;
}

export interface ReadSettings {
  /** The project's first: it overrides the user's. */
  readonly files: readonly SettingsFile[];
  readonly findings: readonly Finding[];
}

export function readSettings(geminiHome: string, workingDir: string): ReadSettings {
  const files: SettingsFile[] = [];
  const findings: Finding[] = [];
  const places = [join(workingDir, '.gemini'), geminiHome];
  for (const path of new Set(places.map((folder) => join(folder, 'settings.json')))) {
    const text = readIfThere(path);
    if (text === undefined) continue;
    const content = parseJsonObject(text);
    if (content === undefined) {
      findings.push(
        problem('settings', `${path} is not JSON`, 'Correct the file: the CLI exits with 52.'),
      );
    } else files.push({ path, content });
  }
  return { files, findings };
}

/** The first value that any of the files has at this place, such as `security.auth.selectedType`. */
export function findSetting(files: readonly SettingsFile[], place: string): unknown {
  for (const { content } of files) {
    const value = place.split('.').reduce<unknown>((at, key) => {
      return typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined;
    }, content);
    if (value !== undefined) return value;
  }
  return undefined;
}

export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(stripJsonComments(text));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
