import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { StepOutput } from '../../../src/api/result.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';

const SECRET = `AIza${'planted-secret-value'.repeat(2)}`;

function outputWith(text: string): StepOutput {
  return {
    generationId: 'generation-1',
    text,
    files: [],
    deniedTools: [],
    warnings: [{ code: 'NON_JSON_OUTPUT', message: `the first: ${text}`, count: 1 }],
    usage: {
      total: 3,
      input: 2,
      output: 1,
      cached: 0,
      thoughts: 0,
      tool: 0,
      models: {},
      toolCalls: 0,
    },
    sessionId: 'abc',
    model: undefined,
    durationMs: 12,
    transport: 'headless',
    cliVersion: '0.61.0',
    recovered: false,
    repairs: 0,
  };
}

describe('a provider error', () => {
  it('is an Error with a name, a stack and a cause', () => {
    const cause = new Error('underneath');
    const error = new ProviderError({ code: 'NETWORK', message: 'lost', cause });
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('ProviderError');
    expect(error.stack).toContain('lost');
    expect(error.cause).toBe(cause);
  });

  it('has no cause if none is given', () => {
    expect('cause' in new ProviderError({ code: 'UNKNOWN', message: 'x' })).toBe(false);
  });

  it.each([
    ['two\nlines', 'two lines'],
    ['windows\r\n  lines\r\n', 'windows lines'],
    ['  trimmed \n\n\n and joined ', 'trimmed and joined'],
  ])('has a message of one line', (message, expected) => {
    expect(new ProviderError({ code: 'UNKNOWN', message }).message).toBe(expected);
  });

  it('prefers the given hint', () => {
    const error = new ProviderError({ code: 'AUTH', message: 'x', hint: 'Do this.' });
    expect(error.hint).toBe('Do this.');
  });

  it('carries all details', () => {
    const partial = outputWith('half an answer');
    const fields = {
      code: 'TIMEOUT',
      retryAfterMs: 2_000,
      exitCode: 143,
      signal: 'SIGTERM',
      httpStatus: 429,
      phase: 'idle',
      generationId: 'generation-1',
      problems: [{ key: 'model', value: '', problem: 'must not be empty' }],
      missing: [{ kind: 'files', message: 'no file', paths: ['a'] }],
      stderrTail: 'last words',
      sessionId: 'abc',
      partial,
    } as const;
    const error = new ProviderError({ ...fields, message: 'x' });
    expect(error).toMatchObject(fields);
    expect(error.toJSON()).toMatchObject(fields);
  });
});

describe('recognising a provider error', () => {
  it('works for errors of this package', () => {
    expect(ProviderError.isInstance(new ProviderError({ code: 'UNKNOWN', message: 'x' }))).toBe(
      true,
    );
  });

  it('works for errors of another copy of the package', () => {
    const marker = Symbol.for('gemini-cli-provider.ProviderError');
    expect(ProviderError.isInstance({ [marker]: true })).toBe(true);
  });

  it.each([undefined, null, 'ProviderError', 42, {}, new Error('x'), { name: 'ProviderError' }])(
    'fails for %o',
    (value) => {
      expect(ProviderError.isInstance(value)).toBe(false);
    },
  );
});

describe('a provider error that is printed', () => {
  const error = new ProviderError({
    code: 'API_REQUEST',
    message: `refused ${SECRET}`,
    hint: `look at ${SECRET}`,
    stderrTail: `{"key":"${SECRET}"}`,
    problems: [{ key: 'env.KEY', value: SECRET, problem: 'wrong' }],
    missing: [{ kind: 'command', message: `it said ${SECRET}`, detail: SECRET }],
    partial: outputWith(`the key is ${SECRET}`),
    httpStatus: 400,
  });

  it('contains no text that looks like a secret, printed or in its details', () => {
    expect(inspect(error, { depth: 9 })).not.toMatch(/planted|secret/);
    expect(error.partial?.text).toBe('the key is [redacted]');
  });

  it('contains no secret as JSON', () => {
    const json = JSON.stringify(error);
    expect(json).not.toMatch(/planted|secret/);
    expect(json.match(/\[redacted\]/g)).toHaveLength(8);
  });

  it('survives a round trip as JSON', () => {
    expect(JSON.parse(JSON.stringify(error))).toEqual(error.toJSON());
  });

  it('has code, message, hint, retryable and partial as JSON', () => {
    expect(error.toJSON()).toMatchObject({
      name: 'ProviderError',
      code: 'API_REQUEST',
      message: 'refused [redacted]',
      hint: 'look at [redacted]',
      retryable: false,
      httpStatus: 400,
      stderrTail: '{"key":"[redacted]"}',
      partial: { text: 'the key is [redacted]', usage: { total: 3 }, sessionId: 'abc' },
    });
  });

  it('hides the password of a proxy', () => {
    const message = 'connect to http://joe:proxypassword99@proxy.example:8080 failed';
    const { message: shown } = new ProviderError({ code: 'NETWORK', message });
    expect(shown).toBe('connect to http://joe:[redacted]@proxy.example:8080 failed');
  });
});

describe('a printed error', () => {
  it('shows only what is known', () => {
    const error = new ProviderError({ code: 'TIMEOUT', message: 'Too late', phase: 'idle' });
    const printed = inspect(error);
    expect(printed).toContain("phase: 'idle'");
    expect(printed).not.toContain('undefined');
    expect(error).toHaveProperty('exitCode', undefined);
  });
});
