import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkAuth } from '../../../src/step/doctor/check-auth.js';
import { type Files, makeFolder } from '../../fixtures/cli/support.js';

type Env = Readonly<Record<string, string>>;

function check(selectedType: string | undefined, env: Env, files: Files = {}) {
  const folder = makeFolder({ 'home/.gemini/x': '', 'app/src/x': '', ...files });
  const content = selectedType === undefined ? {} : { security: { auth: { selectedType } } };
  const home = join(folder, 'home/.gemini');
  const [finding, ...more] = checkAuth({
    files: [{ path: '', content }],
    env,
    geminiHome: home,
    workingDir: join(folder, 'app/src'),
    isTrusted: true,
  });
  expect(more).toEqual([]);
  return finding;
}

const KEY = { GEMINI_API_KEY: 'k' };
const VERTEX = { GOOGLE_CLOUD_PROJECT: 'p', GOOGLE_CLOUD_LOCATION: 'l' };

describe('the authentication type', () => {
  it.each<[string | undefined, Env]>([
    [undefined, KEY],
    ['gemini-api-key', KEY],
    ['gemini-api-key', { ...KEY, GOOGLE_GEMINI_BASE_URL: 'http://x' }],
    ['vertex-ai', VERTEX],
    ['vertex-ai', { GOOGLE_API_KEY: 'k' }],
    [undefined, { GOOGLE_GENAI_USE_VERTEXAI: 'true', ...VERTEX, ...KEY }],
  ])('%s with %j is fine', (selected, env) => {
    expect(check(selected, env)).toMatchObject({ check: 'authentication', status: 'ok' });
  });

  it.each<[string | undefined, Env, string, string]>([
    [undefined, {}, 'No authentication is configured', 'GEMINI_API_KEY'],
    [undefined, { GEMINI_API_KEY: '' }, 'No authentication is configured', 'GEMINI_API_KEY'],
    ['gemini-api-key', VERTEX, 'GEMINI_API_KEY is not set', 'Set GEMINI_API_KEY.'],
    ['vertex-ai', KEY, 'its variables are not set', 'GOOGLE_CLOUD_PROJECT'],
    ['vertex-ai', { GOOGLE_CLOUD_PROJECT: 'p' }, 'its variables are not set', 'LOCATION'],
    [undefined, { GOOGLE_GENAI_USE_VERTEXAI: 'true' }, 'Vertex AI is selected', 'GOOGLE_API_KEY'],
    [undefined, { GOOGLE_GEMINI_BASE_URL: 'http://x', ...KEY }, 'gateway', 'selectedType'],
    [
      'oauth-personal',
      KEY,
      'A Google login is selected, but no credentials were found',
      'June 2026',
    ],
    [undefined, { GOOGLE_GENAI_USE_GCA: 'true' }, 'A Google login is selected', 'GEMINI_API_KEY'],
  ])('%s with %j is a problem', (selected, env, message, fix) => {
    expect(check(selected, env)).toMatchObject({
      status: 'problem',
      message: expect.stringContaining(message),
      fix: expect.stringContaining(fix),
    });
  });

  it.each<[string, Env, Files]>([
    ['gateway', {}, {}],
    ['compute-default-credentials', {}, {}],
    ['oauth-personal', { GOOGLE_APPLICATION_CREDENTIALS: '/c.json' }, {}],
    ['oauth-personal', {}, { 'home/.gemini/oauth_creds.json': '{}' }],
  ])('%s with %j and %j is a note', (selected, env, files) => {
    expect(check(selected, env, files)?.status).toBe('note');
  });
});

describe('a .env file', () => {
  it('can contain the key', () => {
    expect(check(undefined, {}, { 'app/.env': 'GEMINI_API_KEY=k' })?.status).toBe('ok');
  });

  it('does not override the environment', () => {
    const files = { 'app/.env': 'GOOGLE_GENAI_USE_VERTEXAI=true' };
    const env = { GOOGLE_GENAI_USE_VERTEXAI: 'false', ...KEY };
    expect(check(undefined, env, files)?.message).toContain('GEMINI_API_KEY');
  });

  it('with an empty key has no key, also if the next line has a value', () => {
    const files = { 'app/.env': 'GEMINI_API_KEY=\nOTHER=x\n' };
    expect(check('gemini-api-key', {}, files)).toMatchObject({ status: 'problem' });
  });
});
