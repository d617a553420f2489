import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { geminiHomeOf } from '../../../src/sessions/files/gemini-home.js';

describe("the CLI's own folder", () => {
  it.each([
    ['GEMINI_CLI_HOME', { GEMINI_CLI_HOME: '/g', HOME: '/h', USERPROFILE: '/u' }, '/g/.gemini'],
    ['HOME', { HOME: '/h', USERPROFILE: '/u' }, '/h/.gemini'],
    ['USERPROFILE', { USERPROFILE: '/u' }, '/u/.gemini'],
    ['HOME if GEMINI_CLI_HOME is empty', { GEMINI_CLI_HOME: '', HOME: '/h' }, '/h/.gemini'],
  ])('lies in %s', (_name, env, folder) => {
    expect(geminiHomeOf(env)).toBe(folder);
  });

  it('lies in the home of the user if the environment names no home', () => {
    expect(geminiHomeOf({})).toBe(join(homedir(), '.gemini'));
  });
});
