import { describe, expect, it } from 'vitest';
import { parseModelRequest, wantsJson } from '../../src/testing/model-request.js';

const parse = (body: object) => parseModelRequest('/v1/models/m:x', JSON.stringify(body));

describe('a request of the CLI', () => {
  it.each([
    ['/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse', 'gemini-2.5-flash', true],
    ['/v1/models/gemini-pro:generateContent', 'gemini-pro', false],
    ['/v1beta1/models/tuned%2Fmine:generateContent', 'tuned/mine', false],
  ])('to %s names the model', (path, model, streaming) => {
    expect(parseModelRequest(path, '{}')).toMatchObject({ model, streaming });
  });

  it.each(['/', '/v1beta/models', '/v1beta/models/m', '/models/m:x', '/v1/files/m:x'])(
    'to %s is not a model request',
    (path) => {
      expect(parseModelRequest(path, '{}')).toBeUndefined();
    },
  );

  it('may have an empty body', () => {
    expect(parseModelRequest('/v1/models/m:x', '')).toEqual({
      method: 'x',
      model: 'm',
      streaming: false,
      prompt: '',
      promptParts: [],
      turn: 0,
      tools: [],
      systemInstruction: '',
      body: {},
    });
  });

  it("has the last prompt without the CLI's introduction", () => {
    const contents = [
      { role: 'user', parts: [{ text: 'first' }] },
      { role: 'model', parts: [{ text: 'answer' }] },
      { role: 'user', parts: [{ text: '<session_context>\n…' }, { text: 'second' }] },
    ];
    expect(parse({ contents })).toMatchObject({
      prompt: 'second',
      promptParts: ['second'],
      turn: 0,
    });
  });

  it('counts the turns since the last prompt', () => {
    const answered = { role: 'user', parts: [{ functionResponse: {} }] };
    const called = { role: 'model', parts: [{ functionCall: {} }] };
    const prompt = { role: 'user', parts: [{ text: 'go' }] };
    const contents = [prompt, called, answered, prompt, called, answered, called, answered];
    expect(parse({ contents })).toMatchObject({ prompt: 'go', turn: 2 });
  });

  it("that asks for JSON is one of the CLI's own requests", () => {
    const wants = (generationConfig: object) => {
      const request = parse({ generationConfig });
      return request !== undefined && wantsJson(request);
    };
    expect(wants({ responseMimeType: 'application/json' })).toBe(true);
    expect(wants({ responseMimeType: 'text/plain' })).toBe(false);
    expect(wants({})).toBe(false);
  });
});
