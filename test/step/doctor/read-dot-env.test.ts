import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDotEnv } from '../../../src/step/doctor/read-dot-env.js';
import { type Files, makeFolder } from '../../fixtures/cli/support.js';

function read(files: Files, isTrusted = true) {
  const folder = makeFolder({ 'home/.gemini/x': '', 'app/src/x': '', ...files });
  const geminiHome = join(folder, 'home/.gemini');
  return readDotEnv({ workingDir: join(folder, 'app/src'), geminiHome, isTrusted });
}
const KEY = 'GEMINI_API_KEY=k';

describe('the .env file of the CLI', () => {
  it.each([
    ['app/src/.env', KEY],
    ['app/.env', '# mine\nexport GEMINI_API_KEY = k\n'],
    ['app/.gemini/.env', `A=1\n${KEY}\nB=2`],
    ['home/.gemini/.env', KEY],
    ['home/.env', KEY],
  ])('may be %s', (path, text) => {
    expect(read({ [path]: text })).toMatchObject({ GEMINI_API_KEY: 'k' });
  });

  it('is only the nearest one, with .gemini first', () => {
    const files = { 'app/src/.gemini/.env': 'OTHER=x', 'app/src/.env': KEY, 'app/.env': 'A=1' };
    expect(read(files)).toEqual({ OTHER: 'x' });
  });

  it('may be missing', () => {
    expect(read({})).toEqual({});
  });

  it.each(['# GEMINI_API_KEY=k', 'GEMINI_API_KEY=', 'GEMINI_API_KEY=\n', 'MY_GEMINI_API_KEY=k'])(
    'has no key if it contains %j',
    (text) => {
      expect(read({ 'app/.env': text })).not.toHaveProperty('GEMINI_API_KEY');
    },
  );
});

describe('in a workspace without trust', () => {
  it('the .env file may only set the variables for authentication', () => {
    const text = `${KEY}\nGOOGLE_GENAI_USE_VERTEXAI=true\nGOOGLE_CLOUD_PROJECT=p\n`;
    expect(read({ 'app/.env': text }, false)).toEqual({
      GEMINI_API_KEY: 'k',
      GOOGLE_CLOUD_PROJECT: 'p',
    });
  });

  it.each(['app/src/.gemini/.env', 'home/.gemini/.env'])('%s is not read', (path) => {
    expect(read({ [path]: KEY }, false)).toEqual({});
  });
});
