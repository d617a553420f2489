import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the model says to one request. */
export interface OpenAiTurn {
  readonly text?: string;
  readonly tool?: { readonly name: string; readonly args: object };
  readonly status?: number;
  /** The answer is begun and never ended. */
  readonly isEndless?: boolean;
}

interface ChatRequest {
  readonly model: string;
  readonly tools?: readonly unknown[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

export interface OpenAiModel {
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  /** The turns that a prompt with this word in it is answered with, one for each request. */
  script(word: string, turns: readonly OpenAiTurn[]): void;
  close(): Promise<void>;
}

/** Tokens that each answer claims. */
export const TOKENS = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/** With which Qwen Code calls nobody but its model. */
export const QWEN_SETTINGS = JSON.stringify({
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
});

/** A loopback model with the API that most agents other than Gemini speak. */
export async function startOpenAiModel(): Promise<OpenAiModel> {
  const scripts = new Map<string, OpenAiTurn[]>();
  const requests: ChatRequest[] = [];
  const server = createServer(async (request, response) => {
    const chat: ChatRequest = JSON.parse(await readBody(request));
    // Without tools it is asked for a title or the like, beside the conversation.
    if (chat.tools === undefined || chat.tools.length === 0) {
      answer(response, chat, { text: 'beside' });
      return;
    }
    requests.push(chat);
    const said = JSON.stringify(chat.messages.filter(({ role }) => role === 'user'));
    const word = [...scripts.keys()].find((key) => said.includes(key));
    const turn = word === undefined ? undefined : scripts.get(word)?.shift();
    answer(response, chat, turn ?? { status: 400 });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = portOf(server.address());
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    script: (word, turns) => scripts.set(word, [...turns]),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

let calls = 0;

function answer(response: ServerResponse, { model }: ChatRequest, turn: OpenAiTurn): void {
  if (turn.status !== undefined) {
    response.writeHead(turn.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'The scripted model refuses.' } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const id = `call_${++calls}`;
  const send = (part: object): void => {
    const chunk = { id, object: 'chat.completion.chunk', created: 0, model, ...part };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const say = (delta: object, finish_reason: string | null = null): void => {
    send({ choices: [{ index: 0, delta, finish_reason }] });
  };
  say({ role: 'assistant', content: '' });
  for (const piece of turn.text?.match(/\S+\s*/g) ?? []) say({ content: piece });
  if (turn.isEndless === true) return;
  if (turn.tool !== undefined) {
    const { name, args } = turn.tool;
    const called = { name, arguments: JSON.stringify(args) };
    say({ tool_calls: [{ index: 0, id, type: 'function', function: called }] });
  }
  say({}, turn.tool === undefined ? 'stop' : 'tool_calls');
  send({ choices: [], usage: TOKENS });
  response.end('data: [DONE]\n\n');
}
