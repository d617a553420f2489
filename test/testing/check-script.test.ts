import { describe, expect, it } from 'vitest';
import { checkScript } from '../../src/testing/check-script.js';
import type { Script } from '../../src/testing/script.js';

const circle: Record<string, unknown> = {};
circle['self'] = circle;

/** Passes a script of any type, as plain JavaScript could. */
const check = (script: unknown) => () => Reflect.apply(checkScript, undefined, [script]);

describe('a script', () => {
  it.each<[Script]>([
    [[]],
    [[{}]],
    [[{ turns: [] }, { prompt: undefined, turns: [{}] }]],
    [[{ prompt: /x/, turns: [{ attempts: [{}, { error: { status: 503, details: [{}] } }] }] }]],
    [[{ prompt: () => true, turns: [{ text: ['a', 'b'], thoughts: [], finishReason: null }] }]],
    [[{ text: undefined, toolCalls: [{ name: 'x' }, { name: 'y', args: { a: [1, null] } }] }]],
    [[() => ({}), { attempts: [async () => ({ text: 'a' })] }]],
    [[{ usage: { prompt: 0 }, latencyMs: 0, chunkDelayMs: 1, drop: 'after', endless: 'stall' }]],
  ])('%j is accepted', (script) => {
    expect(check(script)).not.toThrow();
  });

  it.each([
    [undefined, 'script must be a list, not undefined'],
    [{}, 'script must be a list, not a value of type object'],
    ['str', 'script must be a list, not "str"'],
    [[null], 'script[0] must be an object, not null'],
    [[[]], 'script[0] must be an object, not an empty list'],
    [[{}, 42], 'script[1] must be an object, not 42'],
    [[{ turns: null }], 'script[0].turns must be a list, not null'],
    [
      [{ turns: [{ text: 5 }] }],
      'script[0].turns[0].text must be a string or a list of strings, not 5',
    ],
    [
      [{ prompt: 5, turns: [] }],
      'script[0].prompt must be a string, a regular expression or a function',
    ],
    [[{ text: ['a', 5] }], 'script[0].text must be a string or a list of strings, not a list'],
    [[{ thoughts: 'a' }], 'script[0].thoughts must be a list, not "a"'],
    [[{ thoughts: [1] }], 'script[0].thoughts[0] must be a string, not 1'],
    [[{ toolCalls: {} }], 'script[0].toolCalls must be a list'],
    [[{ toolCalls: [{}] }], 'script[0].toolCalls[0].name must be a string, not undefined'],
    [[{ toolCalls: [{ name: 'x', args: [] }] }], 'script[0].toolCalls[0].args must be an object'],
    [[{ toolCalls: [{ name: 'x', args: { a: 1n } }] }], 'script[0].toolCalls[0].args must be JSON'],
    [[{ toolCalls: [{ name: 'x', args: circle }] }], 'script[0].toolCalls[0].args must be JSON'],
    [[{ finishReason: 5 }], 'script[0].finishReason must be a string or null, not 5'],
    [[{ usage: { cached: '1' } }], 'script[0].usage.cached must be a number that is not negative'],
    [[{ latencyMs: -5 }], 'script[0].latencyMs must be a number that is not negative, not -5'],
    [[{ chunkDelayMs: Number.NaN }], 'script[0].chunkDelayMs must be a number'],
    [[{ error: 500 }], 'script[0].error must be an object, not 500'],
    [[{ error: {} }], 'script[0].error.status must be an HTTP status from 400 to 599'],
    [[{ error: { status: 99 } }], 'script[0].error.status must be an HTTP status'],
    [[{ error: { status: 500, message: 5 } }], 'script[0].error.message must be a string'],
    [[{ error: { status: 500, details: [circle] } }], 'script[0].error.details[0] must be JSON'],
    [[{ drop: true }], 'script[0].drop must be "before" or "after", not a value of type boolean'],
    [[{ endless: 'yes' }], 'script[0].endless must be "stall" or "repeat", not "yes"'],
    [[{ rawBody: 5 }], 'script[0].rawBody must be a string'],
    [[{ promt: 'x', turns: [] }], 'script[0] has the unknown key "promt". Did you mean "prompt"?'],
    [[{ prompt: 'x', turn: [] }], 'script[0] has the unknown key "turn". Did you mean "turns"?'],
    [[{ prompt: 'x' }], 'script[0].turns must be a list, beside prompt'],
    [
      [{ turns: [{ txt: 'a' }] }],
      'script[0].turns[0] has the unknown key "txt". Did you mean "text"?',
    ],
    [[{ toolCalls: [{ nme: 'x' }] }], 'script[0].toolCalls[0] has the unknown key "nme"'],
    [[{ error: { status: 500, retryDealy: '1s' } }], 'Did you mean "retryDelay"?'],
    [[{ usage: { promt: 1 } }], 'script[0].usage has the unknown key "promt"'],
    [[{ attempts: [{ txet: 'a' }] }], 'script[0].attempts[0] has the unknown key "txet"'],
    [[{ attempts: [{}], text: 'a' }], 'script[0] has the unknown key "text"'],
    [[{ attempts: [] }], 'script[0].attempts must be a list of at least one turn'],
    [[{ attempts: {} }], 'script[0].attempts must be a list'],
    [[{ turns: [{ attempts: [{}, 5] }] }], 'script[0].turns[0].attempts[1] must be an object'],
  ])('that is wrong is refused with the path of the wrong entry (%#)', (script, message) => {
    expect(check(script)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    expect(check(script)).toThrow(message);
  });
});
