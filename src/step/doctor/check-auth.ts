import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findSetting, type SettingsFile } from '../../agents/gemini/settings-file.js';
import type { Finding } from '../../api/diagnosis.js';
import { ERROR_CODES } from '../../base/errors/codes.js';
import type { Environment } from '../../base/process/environment.js';
import { note, ok, problem as problemOf } from './finding.js';
import { type DotEnvRequest, readDotEnv } from './read-dot-env.js';

const CHECK = 'authentication';

interface AuthRequest extends DotEnvRequest {
  /** Settings files in force, highest precedence first. */
  readonly files: readonly SettingsFile[];
  readonly env: Environment;
}

/** Finds the authentication type that the CLI would choose, and checks that its credentials are set. */
export function checkAuth({ files, env, ...request }: AuthRequest): Finding[] {
  const { geminiHome } = request;
  const full = { ...readDotEnv(request), ...env };
  const selected = findSetting(files, 'security.auth.selectedType');
  const type = typeof selected === 'string' ? selected : typeFromEnvironment(full);
  if (type === undefined)
    return [problem(CHECK, 'No authentication is configured', ERROR_CODES.AUTH.hint)];
  switch (type) {
    case 'gemini-api-key':
      return has(full, ['GEMINI_API_KEY'])
        ? [ok(CHECK, 'An API key (GEMINI_API_KEY)')]
        : [
            problem(
              CHECK,
              'An API key is selected, but GEMINI_API_KEY is not set',
              'Set GEMINI_API_KEY.',
            ),
          ];
    case 'vertex-ai':
      return checkVertex(full);
    case 'gateway':
      return checkGateway(selected);
    case 'oauth-personal':
      return checkLogin(full, geminiHome);
    default:
      return [note(CHECK, `${type}, selected in the settings`)];
  }
}

function problem(check: string, message: string, fix: string): Finding {
  return problemOf(check, message, fix, 'AUTH');
}

function typeFromEnvironment(env: Environment): string | undefined {
  if (env['GOOGLE_GENAI_USE_GCA'] === 'true') return 'oauth-personal';
  if (env['GOOGLE_GENAI_USE_VERTEXAI'] === 'true') return 'vertex-ai';
  if (has(env, ['GOOGLE_GEMINI_BASE_URL'])) return 'gateway';
  return has(env, ['GEMINI_API_KEY']) ? 'gemini-api-key' : undefined;
}

function checkVertex(env: Environment): Finding[] {
  const isComplete =
    has(env, ['GOOGLE_API_KEY']) || has(env, ['GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION']);
  if (isComplete) return [ok(CHECK, 'Vertex AI')];
  const fix = 'Set GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION, or GOOGLE_API_KEY.';
  return [problem(CHECK, 'Vertex AI is selected, but its variables are not set', fix)];
}

/** Reports a base URL without a selected type: the CLI takes it for a gateway, which headless mode cannot use. */
function checkGateway(selected: unknown): Finding[] {
  if (selected === 'gateway') return [note(CHECK, 'A gateway, selected in the settings')];
  const fix = 'Set `security.auth.selectedType` to "gemini-api-key" in ~/.gemini/settings.json.';
  return [problem(CHECK, 'GOOGLE_GEMINI_BASE_URL makes the CLI ask for a gateway login', fix)];
}

function checkLogin(env: Environment, geminiHome: string): Finding[] {
  const fix =
    'Individual logins ended in June 2026: set GEMINI_API_KEY, or the Vertex AI variables.';
  const hasCredentials =
    existsSync(join(geminiHome, 'oauth_creds.json')) ||
    has(env, ['GOOGLE_APPLICATION_CREDENTIALS']);
  return hasCredentials
    ? [note(CHECK, 'A Google login; it works for Code Assist Standard and Enterprise only', fix)]
    : [problem(CHECK, 'A Google login is selected, but no credentials were found', fix)];
}

function has(env: Environment, names: readonly string[]): boolean {
  return names.every((name) => (env[name] ?? '') !== '');
}
