import { describe, expect, it } from 'vitest';
import { parseJsonOutput } from '../../../src/agents/headless/json-output.js';

const stats = {
  models: {
    pro: {
      api: { totalRequests: 1, totalErrors: 0 },
      tokens: { prompt: 10, candidates: 2, total: 15, cached: 4, thoughts: 3 },
    },
    flash: { tokens: { prompt: 1, candidates: 1, total: 2, cached: 0 } },
  },
  tools: { totalCalls: 2 },
};

function pretty(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

describe('the output of a CLI without a stream', () => {
  const output = { session_id: 's', response: 'Hello {you}', stats, warnings: ['careful'] };

  it('has text, warnings, and a result in the shape of a stream event', () => {
    expect(parseJsonOutput(pretty(output), '')).toEqual({
      sessionId: 's',
      text: 'Hello {you}',
      warnings: ['careful'],
      terminal: {
        type: 'result',
        status: 'success',
        stats: {
          total_tokens: 17,
          input_tokens: 11,
          output_tokens: 3,
          cached: 4,
          thoughts: 3,
          tool: 0,
          tool_calls: 2,
          models: {
            pro: {
              total_tokens: 15,
              input_tokens: 10,
              output_tokens: 2,
              cached: 4,
              thoughts: 3,
              tool: 0,
            },
            flash: {
              total_tokens: 2,
              input_tokens: 1,
              output_tokens: 1,
              cached: 0,
              thoughts: 0,
              tool: 0,
            },
          },
        },
      },
    });
  });

  it.each([
    ['on one line', JSON.stringify(output)],
    ['after other lines', `Loaded cached credentials.\n{broken\n${pretty(output)}`],
    ['with blanks around it', `\n\n${pretty(output)}\n\n`],
  ])('is found %s', (_where, stdout) => {
    expect(parseJsonOutput(stdout, '')?.text).toBe('Hello {you}');
  });

  it('needs neither a session id nor warnings', () => {
    expect(parseJsonOutput(pretty({ response: 'x', stats }), '')).toMatchObject({
      sessionId: undefined,
      warnings: [],
      terminal: { status: 'success' },
    });
  });
});

describe('a failed turn of a CLI without a stream', () => {
  const error = { session_id: 's', error: { type: 'Error', message: 'boom {x}', code: 41 } };

  it('has its error on stderr among other lines', () => {
    const stderr = `Warning: something\n    at throwError (file.js:1) {\n  status: 400\n}\n${pretty(error)}`;
    expect(parseJsonOutput('', stderr)).toMatchObject({
      sessionId: 's',
      text: '',
      terminal: { status: 'error', error: { type: 'Error', message: 'boom {x}' } },
    });
  });

  it('keeps the text before the error', () => {
    expect(parseJsonOutput(pretty({ ...error, response: 'half', stats }), '')).toMatchObject({
      text: 'half',
      terminal: { status: 'error', stats: { total_tokens: 17 } },
    });
  });

  it('is detected by its failed requests if the CLI reports success', () => {
    const models = { pro: { api: { totalErrors: 1 }, tokens: { total: 0 } } };
    const output = parseJsonOutput(pretty({ response: '', stats: { models } }), 'words of stderr');
    expect(output?.terminal).toMatchObject({ status: 'error', error: { type: 'unknown' } });
    expect(output?.terminal.error?.message).not.toContain('words of stderr');
  });

  it.each([
    ['no answer and no tokens', { response: '', stats: { models: {} } }],
    ['null for an answer', { response: null, stats: {} }],
  ])('is an empty answer if it has %s', (_what, value) => {
    expect(parseJsonOutput(pretty(value), '')?.terminal).toMatchObject({
      status: 'error',
      error: { type: 'INVALID_STREAM' },
    });
  });

  it('is a success if it has tokens but no text', () => {
    expect(parseJsonOutput(pretty({ response: '', stats }), '')?.terminal.status).toBe('success');
  });
});

describe('output of another program', () => {
  it.each([
    ['nothing', '', ''],
    ['text', 'hello', 'world'],
    ['JSON of another kind', '{"hello":"world"}', ''],
    ['a list', '[1,2,3]', ''],
    ['broken JSON', '{"response":"half', ''],
    ['an answer of the wrong type', '{"response":5}', ''],
    ['an event of a stream', '{"type":"init","session_id":"s"}', ''],
  ])('is not parsed: %s', (_what, stdout, stderr) => {
    expect(parseJsonOutput(stdout, stderr)).toBeUndefined();
  });
});

describe('an error that the CLI prints twice', () => {
  it('is found although the second copy does not begin a line', () => {
    const error = pretty({ session_id: 's', error: { type: 'Error', message: 'boom', code: 400 } });
    const stderr = `noise {\n}\n${error}[ERROR] ${error}`;
    expect(parseJsonOutput('', stderr)?.terminal.error?.message).toBe('boom');
  });
});

describe('a text full of braces', () => {
  it.each([
    ['that never close', '{\n'.repeat(200_000)],
    ['that close once', `${'{\n'.repeat(200_000)}}`],
    ['of broken objects', '{ "a": 1\n'.repeat(200_000)],
    ['that open what is open', `${'{\n"a":\n'.repeat(100_000)}1\n${'}\n'.repeat(100_000)}`],
    ['on one line', '{'.repeat(1_000_000)],
    ['that are closed on one line', `{${'}x'.repeat(500_000)}`],
  ])('is searched in a single pass: %s', (_what, text) => {
    const startedMs = Date.now();
    expect(parseJsonOutput(text, text)).toBeUndefined();
    expect(Date.now() - startedMs).toBeLessThan(2_000);
  });

  it('may contain the object after them', () => {
    const text = `${'{\n'.repeat(1_000)}${pretty({ response: 'Hi', stats })}${'}\n'.repeat(1_000)}`;
    expect(parseJsonOutput(text, '')?.text).toBe('Hi');
  });
});
