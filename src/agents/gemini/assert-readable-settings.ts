import { statSync } from 'node:fs';
import { ProviderError } from '../../base/errors/provider-error.js';
import { settingsPaths } from './settings-file.js';

/**
 * Throws CLI_CONFIG if a settings file is a FIFO, a socket or a device: the CLI would wait for it without an end. Other
 * faults of the files are left to the CLI, which names them.
 */
export function assertReadableSettings(geminiHome: string, workingDir: string): void {
  const path = Object.values(settingsPaths(geminiHome, workingDir)).find(isSpecialFile);
  if (path === undefined) return;
  throw new ProviderError({
    code: 'CLI_CONFIG',
    message: `${path} is not a regular file`,
    hint: 'Replace it by a file with a JSON object, or remove it.',
  });
}

function isSpecialFile(path: string): boolean {
  try {
    const stats = statSync(path);
    return !stats.isFile() && !stats.isDirectory();
  } catch {
    return false;
  }
}
