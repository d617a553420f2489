import { dirname, join } from 'node:path';
import type { Environment } from '../config/environment.js';
import { ERROR_CODES } from '../errors/codes.js';
import { isInside } from '../workspace/paths.js';
import { type Finding, ok, problem } from './finding.js';
import { findSetting, parseJsonObject, readIfThere, type SettingsFile } from './read-settings.js';

const CHECK = 'workspace trust';

/** Whether a headless run would be refused with exit 55. */
export function checkTrust(
  files: readonly SettingsFile[],
  env: Environment,
  geminiHome: string,
  workingDir: string,
): Finding[] {
  if (env['GEMINI_RESTRICTED_MODE'] === 'true' || env['GEMINI_CLI_TRUST_WORKSPACE'] === 'false') {
    const fix = 'Unset GEMINI_RESTRICTED_MODE and GEMINI_CLI_TRUST_WORKSPACE.';
    return [problem(CHECK, 'The environment forbids to trust any workspace', fix)];
  }
  if (env['GEMINI_CLI_TRUST_WORKSPACE'] === 'true') {
    return [ok(CHECK, 'Trusted for this run (trustWorkspace)')];
  }
  if (findSetting(files, 'security.folderTrust.enabled') === false) {
    return [ok(CHECK, 'The settings trust every folder')];
  }
  const path = env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] ?? join(geminiHome, 'trustedFolders.json');
  const level = findTrustLevel(path, workingDir);
  if (level === 'TRUST_FOLDER' || level === 'TRUST_PARENT')
    return [ok(CHECK, `Trusted by ${path}`)];
  const reason = level === undefined ? 'is not trusted' : `is marked ${level}`;
  return [problem(CHECK, `${workingDir} ${reason}`, ERROR_CODES.UNTRUSTED_WORKSPACE.hint)];
}

/** The rule with the longest path that covers the folder. */
function findTrustLevel(path: string, workingDir: string): unknown {
  const rules = Object.entries(parseJsonObject(readIfThere(path) ?? '{}') ?? {});
  const [nearest] = rules
    .filter(([folder, level]) => {
      return isInside(level === 'TRUST_PARENT' ? dirname(folder) : folder, workingDir);
    })
    .sort(([a], [b]) => b.length - a.length);
  return nearest?.[1];
}
