import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { type ServeMcpOptions, serveMcp } from '../../../src/engines/mcp/serve-mcp.js';
import {
  type Answer,
  type Call,
  createScriptedProvider,
  type ScriptedProvider,
} from '../../batch/run/scripted-provider.js';

/** Message of the protocol, as a test looks at it. */
export interface WireMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly message?: string };
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly type: string; readonly text: string }[];
    readonly structuredContent?: Record<string, unknown>;
    readonly tools?: readonly { readonly name: string }[];
    readonly resources?: readonly { readonly uri: string }[];
    readonly contents?: readonly { readonly text: string }[];
  };
}

/** Server in this process, spoken to line by line. */
export interface WireLab {
  readonly root: string;
  readonly state: string;
  readonly provider: ScriptedProvider;
  readonly disconnected: Promise<void>;
  readonly problems: readonly string[];
  readonly notifications: readonly WireMessage[];
  /** Writes bytes as they are. */
  write(text: string): void;
  /** Sends a request. Returns its number and its answer. */
  request(
    method: string,
    params: object,
  ): { readonly id: number; readonly answer: Promise<WireMessage> };
  /** Calls a tool and returns its structured result, or the error in its text. */
  call(name: string, args: object): Promise<Record<string, unknown>>;
  notify(method: string, params: object): void;
  end(): void;
  close(): Promise<void>;
}

export async function openWire(
  answer: (call: Call) => Answer | Promise<Answer>,
  options: Partial<ServeMcpOptions> = {},
): Promise<WireLab> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-wire-')));
  const state = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-state-')));
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const provider = createScriptedProvider(answer);
  const problems: string[] = [];
  const server = await serveMcp({
    config: {},
    roots: [root],
    stateDir: state,
    provider,
    stdin,
    stdout,
    onProblem: (message) => problems.push(message),
    ...options,
  });
  const waiting = new Map<number, (message: WireMessage) => void>();
  const notifications: WireMessage[] = [];
  createInterface({ input: stdout }).on('line', (line) => {
    const message: WireMessage = JSON.parse(line);
    if (message.id === undefined) notifications.push(message);
    else waiting.get(message.id)?.(message);
  });
  let last = 0;
  const write = (text: string): void => void stdin.write(text);
  const send = (message: object): void =>
    write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request: WireLab['request'] = (method, params) => {
    const id = ++last;
    const received = new Promise<WireMessage>((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    return { id, answer: received };
  };
  const close = async (): Promise<void> => {
    await server.close();
    for (const folder of [root, state]) rmSync(folder, { recursive: true, force: true });
  };
  onTestFinished(close);
  const clientInfo = { name: 'test', version: '1' };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  await request('initialize', hello).answer;
  send({ method: 'notifications/initialized' });
  return {
    root,
    state,
    provider,
    disconnected: server.disconnected,
    problems,
    notifications,
    write,
    request,
    notify: (method, params) => send({ method, params }),
    call: async (name, args) => {
      const { result, error } = await request('tools/call', { name, arguments: args }).answer;
      if (result === undefined) return { error };
      const [block] = result.content ?? [];
      return (
        result.structuredContent ?? { isError: result.isError, ...readJson(block?.text ?? '') }
      );
    },
    end: () => void stdin.end(),
    close,
  };
}

/** Refused arguments are described in plain text by the SDK. */
function readJson(text: string): object {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}
