import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answer of the model to one request. */
export interface OpenAiTurn {
  readonly text?: string;
  readonly tool?: { readonly name: string; readonly args: object };
  readonly status?: number;
  /** True if the answer begins and never ends. */
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
  /** Sets the answers to a prompt that contains this word, one for each request. */
  script(word: string, turns: readonly OpenAiTurn[]): void;
  close(): Promise<void>;
}

/** Token counts in each answer. */
export const TOKENS = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/** Settings with which Qwen Code connects to its model only. */
export const QWEN_SETTINGS = JSON.stringify({
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
});

/** Starts a model on the loopback interface with the OpenAI API, which most agents other than Gemini use. */
export async function startOpenAiModel(): Promise<OpenAiModel> {
  const scripts = new Map<string, OpenAiTurn[]>();
  const requests: ChatRequest[] = [];
  const server = createServer(async (request, response) => {
    const chat: ChatRequest = JSON.parse(await readBody(request));
    // A request without tools is a side request of the agent, for a title or the like.
    if (chat.tools === undefined || chat.tools.length === 0) {
      answer(response, chat, { text: 'beside' });
      return;
    }
    requests.push(chat);
    const userMessages = JSON.stringify(chat.messages.filter(({ role }) => role === 'user'));
    const word = [...scripts.keys()].find((key) => userMessages.includes(key));
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
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
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
  const sendDelta = (delta: object, finish_reason: string | null = null): void => {
    send({ choices: [{ index: 0, delta, finish_reason }] });
  };
  sendDelta({ role: 'assistant', content: '' });
  for (const piece of turn.text?.match(/\S+\s*/g) ?? []) sendDelta({ content: piece });
  if (turn.isEndless === true) return;
  if (turn.tool !== undefined) {
    const { name, args } = turn.tool;
    const called = { name, arguments: JSON.stringify(args) };
    sendDelta({ tool_calls: [{ index: 0, id, type: 'function', function: called }] });
  }
  sendDelta({}, turn.tool === undefined ? 'stop' : 'tool_calls');
  send({ choices: [], usage: TOKENS });
  response.end('data: [DONE]\n\n');
}
