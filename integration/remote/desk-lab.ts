import { randomUUID } from 'node:crypto';
import type { RemoteEntryContent, RemoteSession } from 'gemini-cli-provider/remote';
import { onTestFinished } from 'vitest';
import { DeskClient } from '../../src/remote/desk/ask-desk.js';
import type { RunTmux } from '../../src/remote/tmux/run-tmux.js';
import { startDeskCli } from './desk-cli.mjs';
import { PHONE, type RemoteLab, until } from './remote-lab.js';

/** The CLI in a pane, and the keyboard of the person in front of it. */
export interface DeskPane {
  /** Id of the session on the server. */
  readonly id: string;
  readonly run: RunTmux;
  /** Types a text, and presses keys by their names in tmux. */
  type(text: string, ...keys: readonly string[]): Promise<void>;
  press(...keys: readonly string[]): Promise<void>;
  read(): Promise<string>;
}

/** Starts the interactive CLI in tmux, as `remote run` does, and waits until the server leads it. */
export async function startAtDesk(lab: RemoteLab): Promise<DeskPane> {
  const { run, pane } = await startDeskCli(lab.root, lab.model.env);
  onTestFinished(async () => void (await run(['kill-server']).catch(() => '')));
  const { id } = await until(() =>
    lab.remote.control.list().find(({ driver, state }) => driver === 'tmux' && state === 'ready'),
  );
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      await run(['send-keys', '-t', pane, key]);
      // The CLI takes an Enter soon after other keys for a new line.
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
  };
  return {
    id,
    run,
    press,
    type: async (text, ...keys) => {
      await run(['send-keys', '-t', pane, '-l', text]);
      await new Promise((resolve) => setTimeout(resolve, 400));
      await press(...keys);
    },
    read: () => run(['capture-pane', '-p', '-t', pane]),
  };
}

export async function setAway({ state }: RemoteLab, isAway: boolean): Promise<void> {
  await new DeskClient(state).setAway(isAway);
}

export function sessionOf({ remote }: RemoteLab, id: string): RemoteSession | undefined {
  return remote.control.list().find((session) => session.id === id);
}

export async function contentsOf({ remote }: RemoteLab, id: string): Promise<RemoteEntryContent[]> {
  return (await remote.control.entries(id, 0, 10_000)).map(({ content }) => content);
}

/** Sends a prompt and returns its id. */
export async function sendPrompt({ remote }: RemoteLab, id: string, text: string): Promise<string> {
  const promptId = `prompt-${randomUUID()}`;
  await remote.control.prompt(id, { promptId, text }, PHONE);
  return promptId;
}

/** Waits until a prompt has one of the states, and returns its last entry. */
export function untilPrompt(lab: RemoteLab, id: string, promptId: string, ...wanted: string[]) {
  return until(async () => {
    const last = (await contentsOf(lab, id)).findLast((content) => {
      return content.type === 'prompt' && content.promptId === promptId;
    });
    if (last?.type !== 'prompt') return undefined;
    if (wanted.includes(last.status)) return last;
    if (last.status === 'not-delivered') throw new Error(`not delivered: ${last.detail}`);
    return undefined;
  });
}
