import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import {
  connectionShape,
  labelsField,
  parseSettings,
  resolveConnection,
  textsField,
} from '../../src/queue/queue-settings.js';
import { errorOf } from './protocol/support.js';

/** Sets the variables of a queue until the end of the test. */
function setVariables(queue?: string, secret?: string): void {
  vi.stubEnv('GEMINI_CLI_PROVIDER_QUEUE', queue);
  vi.stubEnv('GEMINI_CLI_PROVIDER_QUEUE_SECRET', secret);
  onTestFinished(() => void vi.unstubAllEnvs());
}

const SECRET = 'a secret of 24 characters';

describe('parseSettings', () => {
  it('takes each key in both spellings, and null as not set', () => {
    const given = { connect_timeout: 7, allowUnsigned: true, secret: null, name: undefined };
    expect(parseSettings(given, connectionShape)).toEqual({
      connectTimeout: 7,
      allowUnsigned: true,
    });
  });

  it('names every problem at once, and neither the secret nor the URL', () => {
    const given = { secret: 'short-one', queue: '', name: 'a b', allowed: 1, logger: {} };
    const { message, code } = errorOf(() => parseSettings(given, connectionShape));
    expect(code).toBe('INVALID_CONFIG');
    for (const part of ['secret', 'queue', 'name', 'allowed', 'is no option here', 'logger'])
      expect(message).toContain(part);
    expect(message).not.toContain('short-one');
  });

  it.each([7, 'text', []])('refuses %j as options', (options) => {
    expect(errorOf(() => parseSettings(options, connectionShape)).code).toBe('INVALID_CONFIG');
  });

  it('reports a getter that throws as a wrong option', () => {
    const options = {
      get name(): string {
        throw new Error('of the getter');
      },
    };
    expect(errorOf(() => parseSettings(options, connectionShape)).code).toBe('INVALID_CONFIG');
  });

  it('names the place in a nested option', () => {
    const shape = { limits: z.strictObject({ most: z.int() }) };
    const { message } = errorOf(() => parseSettings({ limits: { most: 1.5 } }, shape));
    expect(message).toContain('limits.most');
  });
});

describe('the fields of a queue', () => {
  it('labels are sorted, each once, and together no longer than a name in the store may be', () => {
    expect(labelsField.parse('gpu')).toEqual(['gpu']);
    expect(labelsField.parse(['b', 'a', 'b'])).toEqual(['a', 'b']);
    expect(labelsField.safeParse(['a/b']).success).toBe(false);
    const many = Array.from({ length: 20 }, (_, index) => `${'x'.repeat(30)}${index}`);
    const [issue] = labelsField.safeParse(many).error?.issues ?? [];
    expect(issue?.message).toBe('must have at most 500 characters in all labels together');
  });

  it('a text is a list of one', () => {
    expect(textsField.parse('a,b')).toEqual(['a,b']);
    expect(textsField.parse(['a', 'b'])).toEqual(['a', 'b']);
    expect(textsField.safeParse(7).success).toBe(false);
  });
});

describe('resolveConnection', () => {
  it('takes what is not given from the environment', () => {
    setVariables('redis://store', SECRET);
    expect(resolveConnection({})).toMatchObject({
      url: 'redis://store',
      name: 'gemini-cli-provider',
      secret: SECRET,
      allowUnsigned: false,
      connectMs: 300_000,
    });
    const given = { queue: 'embedded', name: 'q', secret: 'another secret of a side' };
    expect(resolveConnection({ ...given, allowUnsigned: true, connectTimeout: 2 })).toMatchObject({
      url: 'embedded',
      name: 'q',
      secret: 'another secret of a side',
      allowUnsigned: true,
      connectMs: 2_000,
    });
  });

  it('takes an empty secret for none, and refuses a short one of the environment without its text', () => {
    setVariables('redis://store', '');
    expect(resolveConnection({}).secret).toBeUndefined();
    setVariables('redis://store', 'short-one');
    const { code, message } = errorOf(() => resolveConnection({}));
    expect(code).toBe('INVALID_CONFIG');
    expect(message).toContain('GEMINI_CLI_PROVIDER_QUEUE_SECRET');
    expect(message).not.toContain('short-one');
  });

  it('hands over the logger that is given', () => {
    setVariables('redis://store');
    const note = () => {};
    const logger = { debug: note, info: note, warn: note, error: note };
    expect(resolveConnection({ logger }).logger).toBe(logger);
    expect(() => resolveConnection({}).logger.warn({}, 'silent')).not.toThrow();
  });

  it.each([
    [undefined, 'GEMINI_CLI_PROVIDER_QUEUE'],
    ['', 'GEMINI_CLI_PROVIDER_QUEUE'],
    ['http://user:the-password@store', 'must be a URL that begins with redis://'],
    ['the-password', 'must be a URL that begins with redis://'],
  ])('refuses %j as a store, without what may be a password', (url, problem) => {
    setVariables(url);
    const { code, message } = errorOf(() => resolveConnection({}));
    expect(code).toBe('INVALID_CONFIG');
    expect(message).toContain(problem);
    expect(message).not.toContain('the-password');
  });
});
