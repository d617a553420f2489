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

/** Pairs a device and returns a function that sends its requests. */
export async function pairDevice({ remote }: RemoteLab) {
  const code = new URL(remote.pairingUrl()).hash.slice('#pair='.length);
  const { token } = await send(remote, 'POST', '/api/pair', { code, name: 'phone' }).then(
    ({ body }) => body,
  );
  return (method: string, path: string, body?: object) =>
    send(remote, method, path, body, `${token}`);
}

export async function send(
  remote: Remote,
  method: string,
  path: string,
  body?: object,
  token?: string,
) {
  const response = await fetch(remote.url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  return { status: response.status, body: isObject(answer) ? answer : {} };
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
