import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Script, startScriptedModel } from '../../src/testing/index.js';
import { program } from '../fixtures/cli/support.js';

const HOUR_MS = 3_600_000;

async function start(script: Script, settings: Record<string, unknown> = {}) {
  const model = await startScriptedModel(script, { settings });
  onTestFinished(() => model.close());
  const post = (path: string, body: unknown) => {
    return fetch(`${model.url}${path}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  };
  return { model, post };
}

const STREAM = '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse';
const WHOLE = '/v1beta/models/gemini-2.5-flash:generateContent';
const user = (...texts: string[]) => ({ role: 'user', parts: texts.map((text) => ({ text })) });
const asked = (prompt: string) => ({ contents: [user(prompt)] });
const toolTurn = [
  { role: 'model', parts: [{ functionCall: { name: 'read_file', args: {} } }] },
  { role: 'user', parts: [{ functionResponse: { name: 'read_file', response: {} } }] },
];

/** Returns the text of all chunks. */
async function textOf(response: Response): Promise<string> {
  const chunks = [...(await response.text()).matchAll(/^data: (.*)$/gm)];
  return chunks
    .map(([, json = '']) => JSON.parse(json).candidates[0].content.parts[0]?.text ?? '')
    .join('');
}

describe('the rules of a script', () => {
  it('are chosen by text, regular expression or function, in their order', async () => {
    const { post } = await start([
      { prompt: 'apple', turns: [{ text: 'by text' }] },
      { prompt: /^p..r$/, turns: [{ text: 'by expression' }] },
      { prompt: ({ prompt }) => prompt.length > 20, turns: [{ text: 'by test' }] },
      { turns: [{ text: 'for all others' }] },
      { turns: [{ text: 'never' }] },
    ]);
    const prompts = ['an apple a day', 'pear', 'a long story about fruit', 'plum'];
    const answers = await Promise.all(
      prompts.map(async (prompt) => textOf(await post(STREAM, asked(prompt)))),
    );
    expect(answers).toEqual(['by text', 'by expression', 'by test', 'for all others']);
  });

  it('may have functions of the request as turns', async () => {
    const { post, model } = await start([
      { prompt: 'shout', turns: [({ prompt }) => ({ text: prompt.toUpperCase() })] },
      { prompt: 'late', turns: [{ attempts: [async ({ turn }) => ({ text: `turn ${turn}` })] }] },
      {
        prompt: 'broken',
        turns: [
          () => {
            throw new Error('no idea');
          },
        ],
      },
    ]);
    expect(await textOf(await post(STREAM, asked('shout it')))).toBe('SHOUT IT');
    expect(await textOf(await post(STREAM, asked('late')))).toBe('turn 0');
    const broken = await post(STREAM, asked('broken'));
    expect([broken.status, await broken.text()]).toEqual([400, expect.stringContaining('no idea')]);
    expect(model.unanswered).toEqual([]);
    expect((await post(STREAM, asked('other'))).status).toBe(400);
    expect(model.unanswered).toMatchObject([{ prompt: 'other' }]);
  });

  it('have the turn of a function checked when it is returned', async () => {
    const { post } = await start([() => JSON.parse('{"txt":"a"}')]);
    const answer = await post(STREAM, asked('go'));
    expect(await answer.text()).toContain('unknown key');
  });

  it('give one answer per turn and repeat the last one', async () => {
    const { post } = await start([{ text: 'first' }, { text: 'second' }]);
    const turns = [[], toolTurn, [...toolTurn, ...toolTurn]];
    const answers = await Promise.all(
      turns.map(async (more) => textOf(await post(STREAM, { contents: [user('go'), ...more] }))),
    );
    expect(answers).toEqual(['first', 'second', 'second']);
  });

  it('may give one answer per attempt, counted for each prompt and turn', async () => {
    const { post } = await start([{ attempts: [{ error: { status: 503 } }, { text: 'at last' }] }]);
    const statuses: number[] = [];
    for (const prompt of ['a', 'a', 'b', 'a', 'b']) {
      const response = await post(STREAM, asked(prompt));
      statuses.push(response.status);
      await response.text();
    }
    expect(statuses).toEqual([503, 200, 503, 200, 200]);
  });

  it('make a request fail with the prompt in the message if none matches', async () => {
    const { post } = await start([{ prompt: 'only this', turns: [{ text: 'x' }] }]);
    const response = await post(STREAM, asked('something else'));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: {
        code: 400,
        message: 'No rule of the script matches the prompt: something else',
        status: 'INVALID_ARGUMENT',
      },
    });
  });
});

describe('a request to the scripted model', () => {
  it('is recorded in parsed form', async () => {
    const { model, post } = await start([{ text: 'x' }]);
    const body = {
      systemInstruction: { parts: [{ text: 'Be ' }, { text: 'brief.' }] },
      contents: [user('<session_context>…', 'old'), user('go', 'and a file'), ...toolTurn],
      tools: [{ functionDeclarations: [{ name: 'read_file' }, { name: 'glob' }] }, {}],
    };
    await (await post(STREAM, body)).text();
    expect(model.requests).toEqual([
      {
        method: 'streamGenerateContent',
        model: 'gemini-2.5-flash',
        streaming: true,
        prompt: 'go',
        promptParts: ['go', 'and a file'],
        turn: 1,
        tools: ['read_file', 'glob'],
        systemInstruction: 'Be brief.',
        body,
      },
    ]);
  });

  it('to another path gets 404 and is not recorded', async () => {
    const { model, post } = await start([{ text: 'x' }]);
    expect((await post('/v1beta/files', {})).status).toBe(404);
    expect((await fetch(`${model.url}/`)).status).toBe(404);
    expect(model.requests).toEqual([]);
  });

  it('that asks for JSON gets a fixed model choice, not an answer of the script', async () => {
    const { post } = await start([{ text: 'scripted' }]);
    const generationConfig = { responseMimeType: 'application/json' };
    const response = await post(WHOLE, { ...asked('which model?'), generationConfig });
    const { candidates } = JSON.parse(await response.text());
    expect(JSON.parse(candidates[0].content.parts[0].text)).toMatchObject({
      model_choice: 'flash',
      next_speaker: 'user',
    });
  });

  it('that does not stream gets the whole answer at once', async () => {
    const { post } = await start([
      { text: ['one ', 'two'], toolCalls: [{ name: 'glob' }], usage: { cached: 4 } },
    ]);
    expect(await (await post(WHOLE, asked('go'))).json()).toEqual({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'one ' },
              { text: 'two' },
              { functionCall: { name: 'glob', args: {} } },
            ],
          },
          index: 0,
          finishReason: 'STOP',
        },
      ],
      usageMetadata: {
        promptTokenCount: 100,
        candidatesTokenCount: 10,
        totalTokenCount: 110,
        cachedContentTokenCount: 4,
      },
    });
  });

  it('for a token count is answered by the length of the prompt', async () => {
    const { post } = await start([]);
    const response = await post('/v1/models/m:countTokens', asked('12345678'));
    expect(await response.json()).toEqual({ totalTokens: 2 });
  });

  it('with invalid JSON gets 500, and the server goes on', async () => {
    const { post } = await start([{ text: 'fine' }]);
    expect((await post(STREAM, '{oops')).status).toBe(500);
    expect(await textOf(await post(STREAM, asked('go')))).toBe('fine');
  });
});

describe('the home of the CLI', () => {
  it('points the CLI at the model and has its own settings', async () => {
    const { model } = await start([], { general: { maxAttempts: 2 }, ui: { theme: 'x' } });
    expect(model.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(model.env).toEqual({
      GEMINI_CLI_HOME: model.home,
      GEMINI_API_KEY: expect.stringMatching(/\w{8}/),
      GOOGLE_GEMINI_BASE_URL: model.url,
    });
    expect(JSON.parse(readFileSync(join(model.home, '.gemini/settings.json'), 'utf8'))).toEqual({
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, maxAttempts: 2 },
      ui: { theme: 'x' },
    });
  });

  it('is removed by close(), which also ends open connections', async () => {
    const { model, post } = await start([{ text: 'x', endless: 'stall' }]);
    const response = await post(STREAM, asked('go'));
    const reading = response.text();
    await Promise.all([model.close(), expect(reading).rejects.toThrow()]);
    expect(existsSync(model.home)).toBe(false);
    await expect(post(STREAM, asked('go'))).rejects.toThrow();
  });

  it.each([
    ['before the answer', { latencyMs: HOUR_MS }],
    ['between two pieces', { text: ['a', 'b'], chunkDelayMs: HOUR_MS }],
    ['between two repetitions', { text: 'a', endless: 'repeat', chunkDelayMs: HOUR_MS }],
  ])('is removed during a wait %s, and the process can end', async (_when, turn) => {
    const args = [program('closes-model.mjs'), JSON.stringify(turn)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 15_000 });
    expect(stdout).toBe('broken off\n');
  });

  it('is removed at the end of an `await using` block', async () => {
    let home = '';
    {
      await using model = await startScriptedModel([]);
      home = model.home;
      expect(existsSync(home)).toBe(true);
    }
    expect(existsSync(home)).toBe(false);
  });
});

describe('a rule with a global regular expression', () => {
  it('matches every time', async () => {
    const { post } = await start([{ prompt: /go/g, turns: [{ text: 'yes' }] }]);
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await post(STREAM, asked('go'))).status);
    expect(statuses).toEqual([200, 200, 200]);
  });
});

describe('a wrong script', () => {
  it('is refused before the server listens', async () => {
    const listening = () =>
      process.getActiveResourcesInfo().filter((name) => /TCPServer/.test(name));
    const before = listening().length;
    const startWith = async (...args: unknown[]) =>
      Reflect.apply(startScriptedModel, undefined, args);
    await expect(startWith([{ text: 5 }])).rejects.toThrow('script[0].text must be a string');
    await expect(startWith([], { settings: { a: 1n } })).rejects.toThrow('settings must be JSON');
    expect(listening()).toHaveLength(before);
  });

  it('that becomes wrong later breaks off its own answer only', async () => {
    const args: Record<string, unknown> = {};
    const { post } = await start([
      { prompt: 'bad', turns: [{ text: 'begun', toolCalls: [{ name: 'x', args }] }] },
      { turns: [{ text: 'fine' }] },
    ]);
    args['self'] = args;
    const response = await post(STREAM, asked('bad'));
    await expect(response.text()).rejects.toThrow('terminated');
    expect((await post(WHOLE, asked('bad'))).status).toBe(500);
    expect(await textOf(await post(STREAM, asked('go')))).toBe('fine');
  });
});
