import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import stripJsonComments from 'strip-json-comments';
import { type Finding, ok, problem } from './finding.js';

const CHECK = 'settings';

/** A settings file of the CLI: JSON with comments. */
export interface SettingsFile {
  readonly path: string;
  readonly content: Readonly<Record<string, unknown>>;
}

export interface Settings {
  readonly user: SettingsFile | undefined;
  /** Of the working directory; absent where that is the user's home. */
  readonly project: SettingsFile | undefined;
}

export interface ReadSettings extends Settings {
  readonly findings: readonly Finding[];
}

export function readSettings(geminiHome: string, workingDir: string): ReadSettings {
  const findings: Finding[] = [];
  const read = (path: string): SettingsFile | undefined => {
    const text = readIfThere(path);
    if (text === undefined) return undefined;
    const content = parseJsonObject(text);
    if (content !== undefined) {
      findings.push(ok(CHECK, path));
      return { path, content };
    }
    const fix = 'Correct the file: the CLI exits with 52.';
    findings.push(problem(CHECK, `${path} is not a JSON object`, fix));
    return undefined;
  };
  const userPath = join(geminiHome, 'settings.json');
  const projectPath = join(workingDir, '.gemini', 'settings.json');
  const project = projectPath === userPath ? undefined : read(projectPath);
  const user = read(userPath);
  if (findings.length === 0) findings.push(ok(CHECK, 'None'));
  return { user, project, findings };
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
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : undefined;
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
