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

/** A tool that read a large file may send it in one message. */
const LONGEST_MESSAGE_BYTES = 512 * 1024 * 1024;

export interface MessageHandlers {
  /** `session/update`, in the order of arrival and before any later answer is seen. */
  onUpdate(params: unknown): void;
  /** A line that is no message. */
  onNoise(line: string): void;
}

/**
 * The wire between an agent's process and the SDK, with our own framer: the SDK would answer a line that is no
 * JSON by writing to the agent. Updates do not pass through it either: it drops those it does not know.
 */
export function createMessageStream(
  stdin: Writable,
  stdout: Readable,
  handlers: MessageHandlers,
): Stream {
  const readable = new ReadableStream<AnyMessage>({
    start: (controller) => {
      const framer = new LineFramer({
        maxLineBytes: LONGEST_MESSAGE_BYTES,
        onLine: (line) => {
          const message = parseJsonLine(line);
          if (!isMessage(message)) handlers.onNoise(line);
          else if (isUpdate(message)) handlers.onUpdate(message.params);
          else controller.enqueue(message);
        },
        onOverlong: () => handlers.onNoise('(a line that is too long)'),
      });
      stdout.on('data', (chunk: Buffer) => framer.push(chunk));
      stdout.once('close', () => closeQuietly(controller));
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

/** It may have been closed from the other side. */
function closeQuietly(controller: ReadableStreamDefaultController<AnyMessage>): void {
  try {
    controller.close();
  } catch {
    // Closed already.
  }
}
