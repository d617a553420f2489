import { dirname, join } from 'node:path';
import { isInside } from '../../base/fs/paths.js';
import { readIfThere } from '../../base/fs/read-if-there.js';
import type { Environment } from '../../base/process/environment.js';
import { findSetting, parseJsonObject, type Settings, type SettingsFile } from './settings-file.js';

/** Decision of the CLI to trust a workspace or not, with its reason. */
export type Trust = { readonly readsProject: boolean; readonly message: string } & (
  | { readonly isTrusted: true }
  /** With `isRefused`, a headless CLI exits with 55. */
  | { readonly isTrusted: false; readonly isRefused: boolean; readonly reason: DistrustReason }
);
export type DistrustReason = 'environment' | 'broken-file' | 'folder';

export interface Workspace {
  readonly settings: Settings;
  readonly env: Environment;
  readonly geminiHome: string;
  readonly workingDir: string;
}

/** Decides in the order of the CLI. A project cannot trust itself, but its settings can turn the trust check on. */
export function decideTrust({ settings, env, geminiHome, workingDir }: Workspace): Trust {
  const isOffForUser = folderTrustOf(settings.user) === false;
  if (env['GEMINI_RESTRICTED_MODE'] === 'true' || env['GEMINI_CLI_TRUST_WORKSPACE'] === 'false') {
    const message =
      'GEMINI_RESTRICTED_MODE or GEMINI_CLI_TRUST_WORKSPACE forbids trust in any workspace';
    const isRefused = !isOffForUser;
    return { isTrusted: false, readsProject: false, isRefused, reason: 'environment', message };
  }
  if (env['GEMINI_CLI_TRUST_WORKSPACE'] === 'true') {
    return trusted('Trusted for this step (trustWorkspace)');
  }
  const isOnForProject = folderTrustOf(settings.project) === true;
  if (isOffForUser && !isOnForProject) return trusted("The user's settings trust every folder");
  const refused = (reason: DistrustReason, message: string): Trust => {
    return { isTrusted: false, readsProject: isOffForUser, isRefused: true, reason, message };
  };
  const path = env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] ?? join(geminiHome, 'trustedFolders.json');
  const rules = parseJsonObject(readIfThere(path) ?? '{}');
  if (rules === undefined) return refused('broken-file', `${path} is not a JSON object`);
  const level = findTrustLevel(rules, workingDir);
  if (level === 'TRUST_FOLDER' || level === 'TRUST_PARENT') return trusted(`Trusted by ${path}`);
  const verdict = level === undefined ? 'is not trusted' : `is marked ${level}`;
  return refused('folder', `${workingDir} ${verdict}`);
}

function trusted(message: string): Trust {
  return { isTrusted: true, readsProject: true, message };
}

function folderTrustOf(file: SettingsFile | undefined): unknown {
  return file && findSetting([file], 'security.folderTrust.enabled');
}

/** Returns the level of the rule with the longest path that covers the folder. */
function findTrustLevel(rules: Readonly<Record<string, unknown>>, workingDir: string): unknown {
  const [nearest] = Object.entries(rules)
    .filter(([folder, level]) => {
      return isInside(level === 'TRUST_PARENT' ? dirname(folder) : folder, workingDir);
    })
    .sort(([a], [b]) => b.length - a.length);
  return nearest?.[1];
}
