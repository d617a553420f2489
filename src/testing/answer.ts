import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { safeJson } from '../base/text/safe-json.js';
import type { ScriptedHttpError, ScriptedTurn } from './script.js';

const DEFAULT_PROMPT_TOKENS = 100;
const DEFAULT_OUTPUT_TOKENS = 10;
const REPEAT_DELAY_MS = 20;

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** Sends one turn. Stops when the client closes the connection: a pending timer would keep the process alive. */
export async function playTurn(
  turn: ScriptedTurn,
  streaming: boolean,
  response: ServerResponse,
): Promise<void> {
  if (response.closed) return;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    await send(turn, streaming, response, gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

async function send(
  turn: ScriptedTurn,
  streaming: boolean,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  if (turn.latencyMs !== undefined) await delay(turn.latencyMs, undefined, { signal });
  if (turn.drop === 'before') response.destroy();
  else if (turn.error !== undefined) sendError(turn.error, response);
  else if (streaming) await sendStream(turn, response, signal);
  else sendJson(200, chunkOf(turn, partsOf(turn).flat(), true), response);
}

async function sendStream(
  turn: ScriptedTurn,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (turn.rawBody !== undefined) {
    response.end(turn.rawBody);
    return;
  }
  const pieces = partsOf(turn);
  for (const [index, parts] of pieces.entries()) {
    if (index > 0 && turn.chunkDelayMs !== undefined) {
      await delay(turn.chunkDelayMs, undefined, { signal });
    }
    await sendChunk(response, chunkOf(turn, parts, index === pieces.length - 1));
  }
  // A counter makes each chunk different: the CLI stops a model that repeats itself.
  for (let count = 1; turn.endless === 'repeat' && !response.closed; count++) {
    await delay(turn.chunkDelayMs ?? REPEAT_DELAY_MS, undefined, { signal });
    await sendChunk(response, chunkOf(turn, [...(pieces[0] ?? []), { text: `${count} ` }], false));
  }
  if (turn.drop === 'after') response.destroy();
  else if (turn.endless === undefined) response.end();
}

/**
 * Resolves when the chunk is written or the client has closed the connection. The CLI takes U+2028, U+2029 and U+0085
 * for ends of a line, so they are sent as escapes.
 */
async function sendChunk(response: ServerResponse, chunk: object): Promise<void> {
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.write(`data: ${safeJson(chunk)}\r\n\r\n`, () => {
      response.off('close', resolve);
      resolve();
    });
  });
}

/** Returns the parts of each chunk. */
function partsOf(turn: ScriptedTurn): object[][] {
  const texts = typeof turn.text === 'string' ? [turn.text] : (turn.text ?? []);
  const thoughts = (turn.thoughts ?? []).map((text) => [{ text, thought: true }]);
  const calls = (turn.toolCalls ?? []).map(({ name, args }) => ({
    functionCall: { name, args: args ?? {} },
  }));
  const chunks: object[][] = [...thoughts, ...texts.map((text) => [{ text }])];
  if (calls.length > 0) chunks.push(calls);
  return chunks.length === 0 ? [[]] : chunks;
}

function chunkOf(turn: ScriptedTurn, parts: object[], isLast: boolean): object {
  const isFinal = isLast && turn.endless === undefined && turn.drop === undefined;
  const finishReason = turn.finishReason === undefined ? 'STOP' : turn.finishReason;
  const prompt = turn.usage?.prompt ?? DEFAULT_PROMPT_TOKENS;
  const output = turn.usage?.output ?? DEFAULT_OUTPUT_TOKENS;
  const thoughts = turn.usage?.thoughts ?? 0;
  return {
    candidates: [
      {
        content: { role: 'model', parts },
        index: 0,
        ...(isFinal && finishReason !== null ? { finishReason } : {}),
      },
    ],
    usageMetadata: {
      promptTokenCount: prompt,
      candidatesTokenCount: output,
      totalTokenCount: prompt + output + thoughts,
      ...(turn.usage?.cached === undefined ? {} : { cachedContentTokenCount: turn.usage.cached }),
      ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
    },
  };
}

function sendError(error: ScriptedHttpError, response: ServerResponse): void {
  const { status, message = `Scripted error ${status}`, retryDelay } = error;
  const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay };
  const details = [...(error.details ?? []), ...(retryDelay === undefined ? [] : [retryInfo])];
  const body = {
    code: status,
    message,
    status: STATUS_NAMES[status] ?? 'UNKNOWN',
    ...(details.length === 0 ? {} : { details }),
  };
  sendJson(status, { error: body }, response);
}

export function sendJson(status: number, body: object, response: ServerResponse): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(text);
}
