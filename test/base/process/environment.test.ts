import { describe, expect, it, onTestFinished } from 'vitest';
import {
  PRIVATE_VARIABLES,
  readEnvironment,
  WITHOUT_PRIVATE,
} from '../../../src/base/process/environment.js';
import { SECRET_VARIABLE } from '../../../src/queue/queue-settings.js';
import { QUEUE_VARIABLE } from '../../../src/queue/store/store-url.js';

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

it('private variables include those of the queue', () => {
  expect(PRIVATE_VARIABLES).toEqual(expect.arrayContaining([SECRET_VARIABLE, QUEUE_VARIABLE]));
  expect(Object.keys(WITHOUT_PRIVATE)).toEqual(PRIVATE_VARIABLES);
});
