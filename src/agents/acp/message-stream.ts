import type { Readable, Writable } from 'node:stream';
import {
  ReadableStream,
  type ReadableStreamDefaultController,
  WritableStream,
} from 'node:stream/web';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { isObject } from '../../base/json/is-object.js';
import { LineFramer } from '../../base/ndjson/line-framer.js';
import { parseJsonLine } from '../../base/ndjson/parse-json-line.js';

/** Limit of a message. A tool may send a large file in one message. */
const MAX_MESSAGE_BYTES = 512 * 1024 * 1024;

export interface MessageHandlers {
  /** Called for `session/update` in the order of arrival, before later responses are handled. */
  onUpdate(params: unknown): void;
  /** Called for a line that is not a JSON-RPC message. */
  onNoise(line: string): void;
}

/**
 * Creates the stream between the process of an agent and the SDK. Lines are framed here, because the SDK would answer
 * a line that is not JSON with an error to the agent. Updates bypass the SDK, because the SDK drops unknown updates.
 */
export function createMessageStream(
  stdin: Writable,
  stdout: Readable,
  handlers: MessageHandlers,
): Stream {
  let isOpen = true;
  const readable = new ReadableStream<AnyMessage>({
    start: (controller) => {
      const framer = new LineFramer({
        maxLineBytes: MAX_MESSAGE_BYTES,
        onLine: (line) => {
          const message = parseJsonLine(line);
          if (!isMessage(message)) handlers.onNoise(line);
          else if (isUpdate(message)) handlers.onUpdate(message.params);
          // The SDK may have closed the stream: the agent is ended and still writes.
          else if (isOpen) controller.enqueue(message);
        },
        onOverlong: () => handlers.onNoise('(line too long)'),
      });
      stdout.on('data', (chunk: Buffer) => framer.push(chunk));
      stdout.once('close', () => {
        isOpen = false;
        closeQuietly(controller);
      });
    },
    cancel: () => {
      isOpen = false;
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write: (message) =>
      new Promise((resolve, reject) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => {
          if (error) reject(error);
          else resolve();
        });
      }),
  });
  return { readable, writable };
}

function isMessage(value: unknown): value is AnyMessage {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return false;
  if (typeof value['method'] === 'string') return true;
  return 'id' in value && ('result' in value || isObject(value['error']));
}

function isUpdate(message: AnyMessage): message is AnyMessage & { readonly params: unknown } {
  return 'method' in message && message.method === 'session/update' && !('id' in message);
}

/** Closes the stream. Ignores the error of a stream that the SDK has closed. */
function closeQuietly(controller: ReadableStreamDefaultController<AnyMessage>): void {
  try {
    controller.close();
  } catch {
    // The SDK has closed the stream.
  }
}
