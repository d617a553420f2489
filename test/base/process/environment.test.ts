import { describe, expect, it, onTestFinished } from 'vitest';
import { readEnvironment } from '../../../src/base/process/environment.js';

describe('readEnvironment', () => {
  it('returns the present environment of this process', () => {
    const name = 'GEMINI_CLI_PROVIDER_TEST_VARIABLE';
    onTestFinished(() => {
      delete process.env[name];
    });
    expect(readEnvironment()[name]).toBeUndefined();
    process.env[name] = 'set later';
    expect(readEnvironment()[name]).toBe('set later');
  });
});
