import { dirname, join } from 'node:path';
import type { Environment } from '../config/environment.js';
import { ERROR_CODES } from '../errors/codes.js';
import { isInside } from '../workspace/paths.js';
import { type Finding, note, ok, problem } from './finding.js';
import {
  findSetting,
  parseJsonObject,
  readIfThere,
  type Settings,
  type SettingsFile,
} from './read-settings.js';

const CHECK = 'workspace trust';

export interface Trust {
  /** A headless run in a workspace that is not trusted is refused with exit 55. */
  readonly isTrusted: boolean;
  /** Whether the CLI regards the settings of the project. */
  readonly readsProject: boolean;
  readonly finding: Finding;
}

interface Workspace {
  readonly settings: Settings;
  readonly env: Environment;
  readonly geminiHome: string;
  readonly workingDir: string;
}

/** In the order of the CLI. A project has no say in whether it is trusted, but it may insist on being asked about. */
export function checkTrust({ settings, env, geminiHome, workingDir }: Workspace): Trust {
  const isOffForUser = folderTrustOf(settings.user) === false;
  if (env['GEMINI_RESTRICTED_MODE'] === 'true' || env['GEMINI_CLI_TRUST_WORKSPACE'] === 'false') {
    return { isTrusted: false, readsProject: false, finding: describeRestriction(isOffForUser) };
  }
  if (env['GEMINI_CLI_TRUST_WORKSPACE'] === 'true') {
    return trusted('Trusted for this run (trustWorkspace)');
  }
  const isOnForProject = folderTrustOf(settings.project) === true;
  if (isOffForUser && !isOnForProject) return trusted("The user's settings trust every folder");
  const refused = (message: string, fix: string): Trust => {
    return {
      isTrusted: false,
      readsProject: isOffForUser,
      finding: problem(CHECK, message, fix),
    };
  };
  const path = env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] ?? join(geminiHome, 'trustedFolders.json');
  const rules = parseJsonObject(readIfThere(path) ?? '{}');
  if (rules === undefined) {
    return refused(`${path} is not a JSON object`, 'Correct the file: the CLI exits with 52.');
  }
  const level = findTrustLevel(rules, workingDir);
  if (level === 'TRUST_FOLDER' || level === 'TRUST_PARENT') return trusted(`Trusted by ${path}`);
  const reason = level === undefined ? 'is not trusted' : `is marked ${level}`;
  return refused(`${workingDir} ${reason}`, ERROR_CODES.UNTRUSTED_WORKSPACE.hint);
}

function trusted(message: string): Trust {
  return { isTrusted: true, readsProject: true, finding: ok(CHECK, message) };
}

function folderTrustOf(file: SettingsFile | undefined): unknown {
  return file && findSetting([file], 'security.folderTrust.enabled');
}

function describeRestriction(isRefusalOff: boolean): Finding {
  const fix = 'Unset GEMINI_RESTRICTED_MODE and GEMINI_CLI_TRUST_WORKSPACE.';
  const message = 'The environment forbids to trust any workspace';
  if (!isRefusalOff) return problem(CHECK, message, fix);
  return note(CHECK, `${message}: a run may start, but only in approvalMode "default"`, fix);
}

/** The rule with the longest path that covers the folder. */
function findTrustLevel(rules: Readonly<Record<string, unknown>>, workingDir: string): unknown {
  const [nearest] = Object.entries(rules)
    .filter(([folder, level]) => {
      return isInside(level === 'TRUST_PARENT' ? dirname(folder) : folder, workingDir);
    })
    .sort(([a], [b]) => b.length - a.length);
  return nearest?.[1];
}
