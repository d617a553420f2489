import { findSetting, type SettingsFile } from '../../agents/gemini/settings-file.js';
import { valueAt } from '../../base/json/value-at.js';
import { HOOK_NAMES } from './extension-files.js';

/** Why hooks do not run, and what to do about it. */
export interface HooksOff {
  readonly problem: string;
  readonly fix: string;
}

/** Returns why the settings keep our hooks from running. `/hooks disable-all` of the CLI lists all hooks by their names. */
export function findHooksOff(files: readonly SettingsFile[]): HooksOff | undefined {
  if (findSetting(files, 'hooksConfig.enabled') === false)
    return {
      problem: 'Hooks are turned off (hooksConfig.enabled)',
      fix: 'Remove hooksConfig.enabled from settings.json: without hooks, sessions at the desk are not seen.',
    };
  // The CLI puts the lists of all files together.
  const disabled = files.flatMap(({ content }) => {
    const value = valueAt(content, ['hooksConfig', 'disabled']);
    return Array.isArray(value) ? value.map(String) : [];
  });
  const own = HOOK_NAMES.filter((name) => disabled.includes(name));
  if (own.length === 0) return undefined;
  return {
    problem: `Hooks are turned off (hooksConfig.disabled): ${own.join(', ')}`,
    fix: 'Run /hooks enable-all in the CLI, or remove these names from settings.json.',
  };
}
