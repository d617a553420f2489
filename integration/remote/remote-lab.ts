import { delimiter, dirname, join } from 'node:path';
import type { ProviderConfig } from 'gemini-cli-provider';
import {
  type Remote,
  type RemoteOptions,
  type RemoteRequest,
  startRemote,
} from 'gemini-cli-provider/remote';
import { type Script, type ScriptedModel, startScriptedModel } from 'gemini-cli-provider/testing';
import { onTestFinished } from 'vitest';
import { findTmux } from '../../.config/tmux-binary.mjs';
import { isObject } from '../../src/base/json/is-object.js';
import { makeFolder } from '../support.js';

export const PHONE = { name: 'phone', isDesk: false };

export interface RemoteLab {
  readonly remote: Remote;
  readonly model: ScriptedModel;
  /** Folder in which sessions may be started. */
  readonly root: string;
  readonly state: string;
  readonly config: ProviderConfig;
}

/** Starts a scripted model and a remote server, which end with the test. */
export async function openRemoteLab(
  script: Script,
  options: RemoteOptions = {},
): Promise<RemoteLab> {
  const model = await startScriptedModel(script);
  onTestFinished(() => model.close());
  const root = makeFolder();
  const state = join(makeFolder(), 'state');
  const config = { env: model.env, model: 'gemini-2.5-flash', trustWorkspace: true };
  const remote = await startRemote({ state, roots: [root], config, ...options });
  onTestFinished(() => remote.close());
  return { remote, model, root, state, config };
}

/** Waits until the function returns a value. The limit of the test ends the wait. */
export async function until<T>(
  find: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function nextRequest({ remote }: RemoteLab): Promise<RemoteRequest> {
  return until(() => remote.control.requests()[0]);
}

/** What a device needs to know about a server, which may run in another process. */
type ReachedRemote = Pick<Remote, 'port' | 'pairingUrl'>;

/** Pairs a device and returns a function that sends its requests. */
export async function pairDevice({ remote }: { readonly remote: ReachedRemote }) {
  const code = new URL(remote.pairingUrl()).hash.slice('#pair='.length);
  const { token } = await send(remote, 'POST', '/api/pair', { code, name: 'phone' }).then(
    ({ body }) => body,
  );
  const call = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
    send(remote, method, path, body, `${token}`, headers);
  return Object.assign(call, { token: `${token}` });
}

export async function send(
  remote: ReachedRemote,
  method: string,
  path: string,
  body?: object,
  token?: string,
  others: Record<string, string> = {},
) {
  // The public address of a server leads to a tunnel, which is not there.
  const response = await fetch(`http://127.0.0.1:${remote.port}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...others,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  return { status: response.status, body: isObject(answer) ? answer : {} };
}

/** Opens the event stream of a device. It ends with the test. */
export async function openStream(
  { remote }: { readonly remote: ReachedRemote },
  token: string,
  query = '',
) {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const response = await fetch(`http://127.0.0.1:${remote.port}/api/events${query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: ending.signal,
  });
  const messages: Record<string, unknown>[] = [];
  let isOpen = true;
  const read = async (): Promise<void> => {
    let rest = '';
    for await (const chunk of response.body ?? []) {
      const blocks = (rest + Buffer.from(chunk).toString('utf8')).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks)
        if (block.startsWith('data: ')) messages.push(JSON.parse(block.slice('data: '.length)));
    }
  };
  void read()
    .catch(() => {})
    .finally(() => {
      isOpen = false;
    });
  return {
    status: response.status,
    messages,
    isOpen: () => isOpen,
    /** Waits for the first message of a type. */
    next: (type: string) => until(() => messages.find((message) => message['type'] === type)),
  };
}

/** Gives the test a tmux server of its own, which ends with the test. */
export function isolateTmux(): Readonly<Record<string, string>> {
  const { command, env } = findTmux();
  const variables = {
    ...env,
    TMUX_TMPDIR: makeFolder(),
    ...(command.includes('/')
      ? { PATH: `${dirname(command)}${delimiter}${process.env['PATH']}` }
      : {}),
  };
  const before = Object.fromEntries(
    Object.keys(variables).map((name) => [name, process.env[name]]),
  );
  Object.assign(process.env, variables);
  onTestFinished(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  return variables;
}
