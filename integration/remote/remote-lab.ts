import { join } from 'node:path';
import type { ProviderConfig } from 'gemini-cli-provider';
import {
  type Remote,
  type RemoteOptions,
  type RemoteRequest,
  startRemote,
} from 'gemini-cli-provider/remote';
import { type Script, type ScriptedModel, startScriptedModel } from 'gemini-cli-provider/testing';
import { onTestFinished } from 'vitest';
import { makeFolder } from '../support.js';
import { useOwnTmux } from './desk-cli.mjs';
import { openStream as open, pairDevice as pair } from './device.mjs';

export { send } from './device.mjs';

export const PHONE = { name: 'phone', isDesk: false };

/** A call that an engine asks about. */
export const WRITE_REQUEST = {
  ...{ sessionId: 's', callId: 'c', toolName: 'write_file', kind: 'edit' as const },
  ...{ title: 'first.txt', input: {}, locations: [], content: [], options: [] },
  suggested: 'reject' as const,
};

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

/** Shorter than the limit of a test, so that the error names the line that waits. */
const LONGEST_WAIT_MS = 100_000;

/** Waits until the function returns a value. */
export async function until<T>(
  find: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const limit = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > limit) throw new Error(`waited in vain for ${String(find)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function nextRequest({ remote }: RemoteLab): Promise<RemoteRequest> {
  return until(() => remote.control.requests()[0]);
}

/** What a device needs to know about a server, which may run in another process. */
type ReachedRemote = Pick<Remote, 'port' | 'pairingUrl'>;

/** Pairs a device and returns a function that sends its requests. */
export function pairDevice({ remote }: { readonly remote: ReachedRemote }) {
  return pair(remote, remote.pairingUrl());
}

/** Opens the event stream of a device. It ends with the test. */
export async function openStream(
  { remote }: { readonly remote: ReachedRemote },
  token: string,
  query = '',
) {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const stream = await open(remote, token, query, ending.signal);
  return {
    ...stream,
    /** Waits for the first message of a type. */
    next: (type: string) =>
      until(() => stream.messages.find((message) => message['type'] === type)),
  };
}

/** Gives the test a tmux server of its own, which ends with the test. */
export function isolateTmux(): Readonly<Record<string, string>> {
  const { variables, restore } = useOwnTmux(makeFolder());
  onTestFinished(restore);
  return variables;
}
