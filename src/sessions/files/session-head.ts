import { fstatSync, readSync } from 'node:fs';
import type { SessionHeader, SessionMessage } from '../../api/session.js';
import { readOpenedFile } from '../../base/fs/read-opened-file.js';
import { JsonSession } from './json-session.js';
import { JsonlSession } from './jsonl-session.js';
import { isInjectedContext, shownContentOf, textsOf, withoutContext } from './message-text.js';
import { isCommand, isResumable } from './resumable.js';

/** Facts from the beginning of a session file. */
export interface SessionHead {
  readonly header: SessionHeader | undefined;
  /** False for a file of the older generation. */
  readonly isJsonl: boolean;
  /** First prompt that is no command of the CLI, or else the first prompt. */
  readonly prompt: string | undefined;
  readonly isResumable: boolean;
  readonly model: string | undefined;
}

const FIRST_BYTES = 8 * 1024;
/** Longest part that is read. The context before the first prompt lists up to 200 files. */
const MOST_BYTES = 512 * 1024;

/** Reads as much of the file as needed to find the first prompt. */
export function readHead(fd: number, size: number): SessionHead {
  for (let length = FIRST_BYTES; ; length *= 8) {
    const bytes = readPart(fd, 0, Math.min(length, size));
    const { header, messages, isJsonl } = readBeginning(bytes);
    const prompts = promptsOf(messages);
    const prompt = prompts.find((text) => !isCommand(text));
    const isEnough = prompt !== undefined || length >= size;
    if (!isEnough && length < MOST_BYTES) continue;
    const torn = isEnough ? undefined : tornPrompt(bytes.toString());
    return {
      header,
      isJsonl,
      prompt: prompt ?? torn ?? prompts[0],
      isResumable: messages.some(isResumable) || (torn !== undefined && !isCommand(torn)),
      model: messages.findLast(({ model }) => model)?.model,
    };
  }
}

/** Reads the id of a session from the beginning of its file. Undefined if the file is no session or cannot be read. */
export function readSessionId(path: string): string | undefined {
  return readOpenedFile(path, (fd) => readId(fd, fstatSync(fd).size));
}

function readId(fd: number, size: number): string | undefined {
  for (let length = FIRST_BYTES; ; length *= 8) {
    const { header } = readBeginning(readPart(fd, 0, Math.min(length, size)));
    if (header !== undefined || length >= size || length >= MOST_BYTES) return header?.sessionId;
  }
}

interface Beginning {
  readonly header: SessionHeader | undefined;
  readonly messages: readonly SessionMessage[];
  readonly isJsonl: boolean;
}

function readBeginning(bytes: Buffer): Beginning {
  const jsonl = new JsonlSession();
  jsonl.push(bytes);
  // Parse the last line too: at the end of the file, only its newline may be missing.
  jsonl.end();
  const { header, messages } = jsonl.fold;
  if (header !== undefined) return { header, messages, isJsonl: true };
  const json = new JsonSession();
  json.push(bytes);
  return { header: json.header, messages: json.messages, isJsonl: false };
}

function promptsOf(messages: readonly SessionMessage[]): string[] {
  return messages
    .filter(({ type, content }) => type === 'user' && !isInjectedContext(content))
    .map((message) => withoutContext(textsOf(shownContentOf(message)).join('')))
    .filter((text) => text.trim() !== '');
}

/** Finds the beginning of a prompt that is longer than the part that was read. */
function tornPrompt(head: string): string | undefined {
  const start = /"type"\s*:\s*"user"\s*,\s*"content"\s*:\s*[[{\s]*(?:"text"\s*:\s*)?"/g;
  const string = /(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}){1,1000}/uy;
  for (const match of head.matchAll(start)) {
    string.lastIndex = match.index + match[0].length;
    const found = string.exec(head)?.[0];
    const text = found === undefined ? '' : withoutContext(JSON.parse(`"${found}"`));
    if (text.trim() !== '') return text;
  }
  return undefined;
}

/** Reads bytes of an open file. Returns fewer bytes at the end of the file. */
export function readPart(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, readSync(fd, buffer, 0, length, position));
}
