import { isProcessAlive } from '../../../base/process/process-table.js';
import { sleep } from '../../../base/process/timing.js';
import { refusal } from '../../session/refusal.js';
import { isPaneGone } from '../../tmux/run-tmux.js';
import type { TmuxPane } from '../../tmux/tmux-pane.js';
import { isAtWork, sendCommand } from './pane-actions.js';

const LOOK_MS = 100;
const QUIT_MS = 8_000;
const TERM_MS = 10_000;

/** The process of the CLI: its start time tells it from a later process with the same pid. */
export interface CliProcess {
  readonly pid: number;
  readonly startTime: number | undefined;
}

/**
 * Ends the CLI in a pane and waits until its process is gone, because two processes on one session would lose turns. An idle
 * CLI gets `/quit`, any other a SIGTERM. Returns the draft that the input held. Throws INVALID_INPUT if the CLI lives on.
 *
 * @param cli the process, if a hook has told; in a pane of the person it is not the first process of the pane
 */
export async function endCli(pane: TmuxPane, cli: CliProcess | undefined): Promise<string> {
  const view = await pane.look().catch(() => undefined);
  const draft = view?.screen.input ?? '';
  if (view !== undefined && !isAtWork(view) && draft === '' && view.screen.dialog === undefined)
    await sendCommand(pane, '/quit').catch(() => {});
  else await terminate(pane, cli);
  if (await isGoneWithin(pane, cli, QUIT_MS)) return draft;
  await terminate(pane, cli);
  if (await isGoneWithin(pane, cli, TERM_MS)) return draft;
  throw refusal('The CLI at the desk does not end', 'End it at the desk, and try again.');
}

async function terminate(pane: TmuxPane, cli: CliProcess | undefined): Promise<void> {
  const pid = cli?.pid ?? (pane.isOwn ? await pane.pid().catch(() => undefined) : undefined);
  if (pid === undefined)
    throw refusal('The process of the CLI is not known', 'End it at the desk, and try again.');
  if (cli !== undefined && !isProcessAlive(cli.pid, cli.startTime)) return;
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // The process has ended by itself.
  }
}

async function isGoneWithin(
  pane: TmuxPane,
  cli: CliProcess | undefined,
  forMs: number,
): Promise<boolean> {
  for (const until = performance.now() + forMs; performance.now() < until; await sleep(LOOK_MS)) {
    const isGone =
      cli === undefined ? await isPaneEmpty(pane) : !isProcessAlive(cli.pid, cli.startTime);
    if (isGone) return true;
  }
  return false;
}

async function isPaneEmpty(pane: TmuxPane): Promise<boolean> {
  try {
    return (await pane.look()).isDead;
  } catch (error) {
    return isPaneGone(error);
  }
}
