import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { CONFIG_KEYS } from '../../../src/config/schema.js';
import { mapCall } from '../../../src/engines/ai-sdk/map-call.js';

const GO: LanguageModelV3Prompt = [{ role: 'user', content: [{ type: 'text', text: 'go' }] }];
const DEFAULTS = { options: {}, context: {}, model: 'flash', foreignKeys: [] };

function map(
  call: Partial<LanguageModelV3CallOptions> = {},
  defaults: Partial<Parameters<typeof mapCall>[1]> = {},
) {
  return mapCall({ prompt: GO, ...call }, { ...DEFAULTS, ...defaults });
}

function own(options: Record<string, unknown>, call: Partial<LanguageModelV3CallOptions> = {}) {
  // The AI SDK takes JSON alone by its types, and passes on every value.
  return map({ ...call, providerOptions: { 'gemini-cli': options as never } });
}

function refuse(run: () => unknown): ProviderError {
  try {
    run();
  } catch (error) {
    if (ProviderError.isInstance(error)) return error;
  }
  return expect.unreachable('The call should have been refused');
}

describe('options of a call', () => {
  it('reach the step, by their call, their model and their signal', () => {
    const { signal } = new AbortController();
    const { options, context } = map(
      {
        abortSignal: signal,
        providerOptions: {
          'gemini-cli': { approvalMode: 'plan', project_root: '/w', context: { job: 7 } },
          google: { thinkingConfig: {} },
        },
      },
      { options: { approvalMode: 'yolo', timeout: 5 }, context: { projectRoot: '/', step: 'a' } },
    );
    expect(options).toEqual({ approvalMode: 'plan', timeout: 5, model: 'flash', signal });
    expect(context).toEqual({ projectRoot: '/w', step: 'a', job: 7 });
  });

  it('are all known', () => {
    const values = Object.fromEntries(CONFIG_KEYS.map((key) => [key, 1]));
    const { model: _, ...others } = values;
    expect(own(others).options).toEqual({ ...others, model: 'flash' });
  });

  it('are refused by name if they are unknown or belong elsewhere', () => {
    const error = refuse(() =>
      own({ resum: 'x', model: 'pro', signal: 1, promptFile: 'a', cwd: '/' }),
    );
    expect(error.code).toBe('INVALID_CONFIG');
    expect(error.problems?.map(({ key, problem }) => [key, problem])).toEqual([
      ['providerOptions.gemini-cli.resum', 'is an unknown option. Did you mean "resume"?'],
      [
        'providerOptions.gemini-cli.model',
        'is given by the argument of the model, as in gemini("gemini-2.5-flash")',
      ],
      ['providerOptions.gemini-cli.signal', 'is given by abortSignal'],
      ['providerOptions.gemini-cli.promptFile', 'is given by the messages of the call'],
      ['providerOptions.gemini-cli.cwd', 'is an unknown option. Did you mean "workingDir"?'],
    ]);
    expect(refuse(() => own({ projectRot: '/' })).message).toContain('"projectRoot"');
  });

  it('may be those of another provider', () => {
    const call = { providerOptions: { 'gemini-cli': { priority: 3 } } };
    expect(map(call, { foreignKeys: ['priority'] }).options).toMatchObject({ priority: 3 });
    expect(refuse(() => map(call)).problems).toHaveLength(1);
  });

  it('may have no form but an object', () => {
    expect(refuse(() => map({ providerOptions: { 'gemini-cli': 'x' as never } })).code).toBe(
      'INVALID_CONFIG',
    );
    const trap = Object.defineProperty({}, 'resume', {
      enumerable: true,
      get: () => {
        throw new Error('boom');
      },
    });
    expect(refuse(() => own(trap)).code).toBe('INVALID_CONFIG');
  });
});

describe('options that an agent cannot take', () => {
  it('are reported as unsupported, each with what to do', () => {
    const { warnings } = map({
      temperature: 0,
      topP: 1,
      topK: 1,
      presencePenalty: 0,
      frequencyPenalty: 0,
      maxOutputTokens: 9,
      stopSequences: ['x'],
      seed: 1,
      tools: [{ type: 'function', name: 't', inputSchema: {} }],
      toolChoice: { type: 'required' },
    });
    expect(warnings.map((warning) => ('feature' in warning ? warning.feature : ''))).toEqual([
      'maxOutputTokens',
      'temperature',
      'topP',
      'topK',
      'presencePenalty',
      'frequencyPenalty',
      'stopSequences',
      'seed',
      'tools',
      'toolChoice',
    ]);
    for (const warning of warnings) {
      expect(warning).toMatchObject({ type: 'unsupported', details: expect.stringMatching(/\.$/) });
    }
  });

  it('are silent if the AI SDK has set them by itself', () => {
    const { warnings } = map({
      tools: [],
      stopSequences: [],
      toolChoice: { type: 'auto' },
      headers: { 'user-agent': 'ai/6' },
      responseFormat: { type: 'text' },
    });
    expect(warnings).toEqual([]);
  });
});

describe('an object', () => {
  const schema = {
    type: 'object',
    properties: { mail: { type: 'string', format: 'email' } },
  } as const;

  it('is asked for with its schema, and repaired twice', () => {
    const { prompt, options, isJson } = map({
      responseFormat: { type: 'json', schema, name: 'person', description: 'Who it is' },
    });
    expect(isJson).toBe(true);
    expect(prompt).toContain('go\n\nAnswer with one JSON value (person: Who it is) that satisfies');
    expect(prompt).toContain(JSON.stringify(schema));
    expect(options).toMatchObject({ expects: { json: schema }, repair: 2 });
  });

  it('may be any JSON', () => {
    const { prompt, options } = map({ responseFormat: { type: 'json' } });
    expect(prompt).toContain('Answer with one JSON value, and nothing else.');
    expect(options.expects).toEqual({ json: {} });
  });

  it('goes with other conditions of the caller', () => {
    const format = { responseFormat: { type: 'json' as const, schema } };
    const files = own({ expects: { files: 'a.txt' }, repair: 0 }, format);
    expect(files.options).toMatchObject({ expects: { files: 'a.txt', json: schema }, repair: 0 });
    expect(files.warnings).toEqual([]);
    const json = own({ expects: { json: { type: 'array' } } }, format);
    expect(json.options.expects).toEqual({ json: schema });
    expect(json.warnings).toMatchObject([{ type: 'other' }]);
    // The provider refuses a value of a wrong type.
    expect(own({ expects: 7, repair: 'x' }, format).options).toMatchObject({
      expects: 7,
      repair: 'x',
    });
  });

  it('is not expected in a call for text', () => {
    expect(own({ expects: { json: {} } })).toMatchObject({ isJson: false, prompt: 'go' });
  });
});

describe('messages', () => {
  const history: LanguageModelV3Prompt = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'one' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'secret thought' },
        { type: 'text', text: 'first' },
        { type: 'tool-call', toolCallId: '1', toolName: 'glob', input: { pattern: '*' } },
        {
          type: 'tool-result',
          toolCallId: '1',
          toolName: 'glob',
          output: { type: 'text', value: 'a.txt' },
        },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'two' }] },
    { role: 'user', content: [{ type: 'text', text: 'three' }] },
  ];

  it('of the system become the system prompt', () => {
    const { options } = map({ prompt: history });
    expect(options.systemPrompt).toBe('Be brief.');
    const given = map({ prompt: history }, { options: { systemPrompt: 'Default.' } });
    expect(given.options.systemPrompt).toBe('Be brief.');
    const error = refuse(() => own({ systemPrompt: 'x' }, { prompt: history }));
    expect(error.message).toContain('cannot be combined with the system message');
  });

  it('become a transcript, with a warning that names resume', () => {
    const { prompt, warnings } = map({ prompt: history });
    expect(prompt).toBe(
      [
        'This is a conversation so far. Continue it: answer its last message.',
        '<user>\none\n</user>',
        '<assistant>\nfirst\n[tool call glob: {"pattern":"*"}]\n[result of glob: a.txt]\n</assistant>',
        '<user>\ntwo\n</user>',
        '<user>\nthree\n</user>',
      ].join('\n\n'),
    );
    expect(warnings).toMatchObject([
      {
        type: 'compatibility',
        feature: 'message history',
        details: expect.stringContaining('resume'),
      },
    ]);
  });

  it('after the last answer are all that a resumed session gets', () => {
    const { prompt, warnings, options } = own({ resume: 'id' }, { prompt: history });
    expect(prompt).toBe('two\n\nthree');
    expect(warnings).toEqual([]);
    expect(options.resume).toBe('id');
    const error = refuse(() => own({ resume: 'id' }, { prompt: history.slice(0, 3) }));
    expect(error.code).toBe('INVALID_INPUT');
  });

  it('may end with an answer or a tool result, which the agent continues', () => {
    const tool: LanguageModelV3Prompt = [
      ...history,
      {
        role: 'tool',
        content: [
          { type: 'tool-approval-response', approvalId: 'x', approved: false },
          {
            ...{ type: 'tool-result', toolCallId: '2', toolName: 'long' },
            output: { type: 'json', value: 'x'.repeat(5_000) },
          },
          {
            ...{ type: 'tool-result', toolCallId: '3', toolName: 'no' },
            output: { type: 'execution-denied', reason: 'never' },
          },
        ],
      },
    ];
    const { prompt } = map({ prompt: tool });
    expect(prompt).toMatch(/<tool>\n\[tool call refused\]\n\[result of long: x{2000} …\]/);
    expect(prompt).toContain('[result of no: denied never]');
    expect(refuse(() => map({ prompt: [{ role: 'system', content: 'x' }] })).code).toBe(
      'INVALID_INPUT',
    );
  });

  it('have text files in the prompt, addresses by name, and no other files', () => {
    const { prompt, warnings } = map({
      prompt: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Read:' },
            { type: 'file', mediaType: 'text/plain', filename: 'a.txt', data: 'aMOp' },
            { type: 'file', mediaType: 'application/json', data: new TextEncoder().encode('{}') },
            { type: 'file', mediaType: 'image/png', data: new URL('https://x.example/a.png') },
            { type: 'file', mediaType: 'image/png', filename: 'b.png', data: new Uint8Array([1]) },
          ],
        },
      ],
    });
    expect(prompt.split('\n')).toEqual([
      'Read:',
      '[file a.txt]',
      'hé',
      '[end of file]',
      '[file without a name]',
      '{}',
      '[end of file]',
      '[file without a name: https://x.example/a.png]',
      '[file b.png (image/png) was left out]',
    ]);
    expect(warnings.map(({ type }) => type)).toEqual(['compatibility', 'unsupported']);
  });
});
