import { type LoadedSettings, loadSettings } from '../../agents/gemini/settings-file.js';
import { type Finding, ok, problem } from './finding.js';

const CHECK = 'settings';

export interface ReadSettings extends LoadedSettings {
  readonly findings: readonly Finding[];
}

export function readSettings(geminiHome: string, workingDir: string): ReadSettings {
  const settings = loadSettings(geminiHome, workingDir);
  const fix = 'Correct the file: the CLI exits with 52.';
  const findings = [settings.project, settings.user].flatMap((file) => {
    return file === undefined ? [] : ok(CHECK, file.path);
  });
  for (const path of settings.broken) {
    findings.push(problem(CHECK, `${path} is not a JSON object`, fix));
  }
  if (findings.length === 0) findings.push(ok(CHECK, 'None'));
  return { ...settings, findings };
}
