import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { playTurn } from '../../src/testing/answer.js';
import type { ScriptedTurn } from '../../src/testing/script.js';

/** Starts a server that sends one turn per request, in order. */
async function serve(...turns: ScriptedTurn[]): Promise<() => Promise<Response>> {
  const server = createServer((_request, response) => {
    void playTurn(turns.shift() ?? {}, true, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return () => fetch(`http://127.0.0.1:${port}/`);
}

interface Chunk {
  readonly candidates: readonly { readonly content: object; readonly finishReason?: string }[];
  readonly usageMetadata: object;
}

const parse = (stream: string): Chunk[] => {
  return [...stream.matchAll(/^data: (.*)\r\n\r\n/gm)].map(([, json = '']) => JSON.parse(json));
};

async function play(turn: ScriptedTurn) {
  const response = await (await serve(turn))();
  return { response, text: await response.text() };
}

/** Reads chunks until `count` of them have arrived. */
async function readChunks(response: Response, count: number): Promise<Chunk[]> {
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes).toString();
    if (parse(text).length >= count) break;
  }
  return parse(text);
}

describe('a scripted turn', () => {
  it('has no character in a chunk that the CLI takes for the end of a line', async () => {
    const ends = 'a\u2028b\u2029c\u0085d';
    const { text } = await play({ text: ends, toolCalls: [{ name: 'a', args: { x: ends } }] });
    expect(text).not.toMatch(/[\u2028\u2029\u0085]/);
    const sent = JSON.stringify(parse(text));
    expect(sent.split(ends)).toHaveLength(3);
  });

  it('is sent in chunks: each thought, each text, then all tool calls together', async () => {
    const { response, text } = await play({
      thoughts: ['hm'],
      text: ['one ', 'two'],
      toolCalls: [{ name: 'a', args: { x: 1 } }, { name: 'b' }],
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const chunks = parse(text);
    expect(chunks.map(({ candidates }) => candidates[0]?.content)).toEqual([
      { role: 'model', parts: [{ text: 'hm', thought: true }] },
      { role: 'model', parts: [{ text: 'one ' }] },
      { role: 'model', parts: [{ text: 'two' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'a', args: { x: 1 } } },
          { functionCall: { name: 'b', args: {} } },
        ],
      },
    ]);
    const reasons = chunks.map(({ candidates }) => candidates[0]?.finishReason);
    expect(reasons).toEqual([undefined, undefined, undefined, 'STOP']);
  });

  it.each([
    [{}, 'STOP'],
    [{ finishReason: 'SAFETY' }, 'SAFETY'],
    [{ finishReason: null }, undefined],
  ])('%j is an empty answer with the right finish reason', async (turn, finishReason) => {
    const [chunk, ...more] = parse((await play(turn)).text);
    expect(more).toEqual([]);
    expect(chunk?.candidates[0]).toMatchObject({ content: { role: 'model', parts: [] } });
    expect(chunk?.candidates[0]?.finishReason).toBe(finishReason);
  });

  it('reports the given token counts', async () => {
    const usage = { prompt: 7, output: 3, cached: 2, thoughts: 5 };
    const [chunk] = parse((await play({ text: 'x', usage })).text);
    expect(chunk?.usageMetadata).toEqual({
      promptTokenCount: 7,
      candidatesTokenCount: 3,
      totalTokenCount: 15,
      cachedContentTokenCount: 2,
      thoughtsTokenCount: 5,
    });
  });

  it('may be a raw body of any bytes', async () => {
    expect((await play({ rawBody: 'data: {"cut', text: 'never' })).text).toBe('data: {"cut');
  });

  it('waits for its latency before the answer', async () => {
    const ask = await serve({ text: 'slow', latencyMs: 500 }, { text: 'quick' });
    const order: string[] = [];
    const slow = ask().then(() => order.push('slow'));
    // The first request must arrive before the second is sent.
    await new Promise((resolve) => setTimeout(resolve, 30));
    await Promise.all([slow, ask().then(() => order.push('quick'))]);
    expect(order).toEqual(['quick', 'slow']);
  });
});

describe('a scripted HTTP error', () => {
  it('has the form of the Gemini API, with the retry delay and other details', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [] }];
    const error = { status: 429, message: 'Slow down.', retryDelay: '2s', details };
    const { response, text } = await play({ error, text: 'never' });
    expect(response.status).toBe(429);
    expect(JSON.parse(text)).toEqual({
      error: {
        code: 429,
        message: 'Slow down.',
        status: 'RESOURCE_EXHAUSTED',
        details: [
          ...details,
          { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2s' },
        ],
      },
    });
  });

  it.each([
    [400, 'INVALID_ARGUMENT'],
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [500, 'INTERNAL'],
    [503, 'UNAVAILABLE'],
    [418, 'UNKNOWN'],
  ])('%i has the status name %s', async (status, name) => {
    const { response, text } = await play({ error: { status } });
    expect(response.status).toBe(status);
    const error = { code: status, message: `Scripted error ${status}`, status: name };
    expect(JSON.parse(text)).toEqual({ error });
  });
});

describe('the connection of a scripted turn', () => {
  it('may be dropped before anything is sent', async () => {
    const ask = await serve({ drop: 'before', text: 'never' });
    await expect(ask()).rejects.toThrow('fetch failed');
  });

  it('may be dropped in the middle of an answer', async () => {
    const turn = { drop: 'after', text: ['one', 'two'], chunkDelayMs: 20 } as const;
    const response = await (await serve(turn))();
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('may stay open without data after the last chunk', async () => {
    const response = await (await serve({ endless: 'stall', text: ['one', 'two'] }))();
    const chunks = await readChunks(response, 2);
    expect(chunks.map(({ candidates }) => candidates[0]?.finishReason)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('may repeat the first piece endlessly, with a number', async () => {
    const turn = { endless: 'repeat', text: 'again ', chunkDelayMs: 1 } as const;
    const chunks = await readChunks(await (await serve(turn))(), 4);
    expect(chunks.slice(0, 3).map(({ candidates }) => candidates[0]?.content)).toEqual([
      { role: 'model', parts: [{ text: 'again ' }] },
      { role: 'model', parts: [{ text: 'again ' }, { text: '1 ' }] },
      { role: 'model', parts: [{ text: 'again ' }, { text: '2 ' }] },
    ]);
  });
});

describe('a connection that is dropped after the answer', () => {
  it('delivers every chunk first', async () => {
    const response = await (await serve({ drop: 'after', text: ['all ', 'of it'] }))();
    expect(response.status).toBe(200);
    expect(await readChunks(response, 2)).toHaveLength(2);
  });
});
