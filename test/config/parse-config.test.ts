import { describe, expect, it } from 'vitest';
import { parseConfig, parseGenerateOptions } from '../../src/config/parse-config.js';
import { failureOf } from '../fixtures/cli/support.js';

describe('a configuration that no compiler has checked', () => {
  it('gets its type, its camelCase keys and loses null', () => {
    const { model, approvalMode, timeout } = parseConfig({
      model: 'x',
      approval_mode: 'plan',
      timeout: '7d',
      sandbox: null,
    });
    expect([model, approvalMode, timeout]).toEqual(['x', 'plan', '7d']);
    expect(parseConfig(null)).toEqual({});
    // A checked configuration can be checked again: durations keep their units.
    expect(parseConfig(parseConfig({ timeout: '7d' }))).toEqual({ timeout: '7d' });
  });

  it.each([['text'], [[]], [new Map()], [{ approval_mode: 'please' }]])(
    'is refused if it is %j',
    async (value) => {
      expect(await failureOf(() => parseConfig(value))).toMatchObject({ code: 'INVALID_CONFIG' });
    },
  );
});

describe('options of one step that no compiler has checked', () => {
  it('keep their signal', () => {
    const { signal } = new AbortController();
    expect(parseGenerateOptions({ signal, idle_timeout: 5 })).toEqual({ signal, idleTimeout: 5 });
    expect(parseGenerateOptions({ signal: null })).toEqual({});
  });

  it('are refused with a wrong signal', async () => {
    expect(await failureOf(() => parseGenerateOptions({ signal: 3 }))).toMatchObject({
      code: 'INVALID_CONFIG',
      problems: [{ key: 'signal' }],
    });
  });
});
