import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { HookPane } from '../../../src/remote/desk/desk.js';
import { openDesk } from '../../../src/remote/desk/open-desk.js';
import { readPsTable } from '../../../src/remote/desk/read-process.js';
import { DeskRecords } from '../../../src/remote/state/desk-records.js';
import { Presence } from '../../../src/remote/state/presence.js';
import { createSessions } from '../create-sessions.js';
import { recordLog } from '../record-log.js';
import { openTmux, untilRuns } from '../tmux/open-tmux.js';

const WAIT = ['-e', 'setInterval(() => {}, 1000); eval(process.argv[2] ?? "")', '--', 'gemini'];
const never = new AbortController().signal;

/** A desk, and a tmux in which programs run that hooks take for the CLI. */
async function open() {
  const run = openTmux();
  const { sessions, state, root } = await createSessions();
  const folder = join(state, 'desk');
  mkdirSync(folder);
  const desk = await openDesk({
    ...{ sessions, state, config: {}, modes: ['default'], logger: recordLog().logger },
    presence: new Presence(join(state, 'away')),
    records: new DeskRecords(folder),
  });
  onTestFinished(() => desk.close());
  /** Opens a terminal with a program, and returns how its hooks name it. */
  const start = async (...args: readonly string[]): Promise<HookPane> => {
    const format = ['-P', '-F', '#{socket_path},#{pane_id},#{pane_pid}'];
    const program = [process.execPath, ...WAIT, ...args];
    const opened = await run(['new-session', '-d', ...format, '--', ...program]);
    const [socket, pane, parent] = opened.trim().split(',');
    await untilRuns(Number(parent), process.execPath);
    return { tmux: `${socket},1,0`, pane, parent };
  };
  const report = (
    place: HookPane,
    session_id: string,
    hook_event_name = 'SessionStart',
    more: object = {},
  ) =>
    desk.onHook(hook_event_name, { session_id, cwd: root, hook_event_name, ...more }, place, never);
  const led = () => sessions.list().map(({ cliSessionId, state: now }) => `${cliSessionId} ${now}`);
  return { start, report, led, run };
}

function startWithoutTerminal(): ChildProcess & { readonly pid: number } {
  const child = spawn(process.execPath, WAIT, { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { pid } = child;
  if (pid === undefined) throw new Error('The program was not started');
  return Object.assign(child, { pid });
}

describe('hooks in a pane with a session', () => {
  it('of another CLI change nothing, as long as the CLI of the session lives', async () => {
    const { start, report, led, run } = await open();
    const [person, nested] = [await start(), await start()];
    await report(person, 'first');
    expect(led()).toEqual(['first starting']);
    const inside = { ...person, parent: nested.parent };
    await report(inside, 'nested');
    await report(inside, 'nested', 'BeforeAgent', { prompt: 'hello' });
    await report(inside, 'nested', 'SessionEnd', { reason: 'exit' });
    expect(led()).toEqual(['first starting']);
    // The CLI of the session gets another one by `/clear`.
    await report(person, 'first', 'SessionEnd', { reason: 'clear' });
    await report(person, 'second', 'SessionStart', { source: 'clear' });
    expect(led()).toEqual(['second starting']);
    // A CLI that was started again, for example after its exit code 199, is another process in the same pane.
    await run(['respawn-pane', '-k', '-t', person.pane ?? '', process.execPath, ...WAIT]);
    await vi.waitFor(() => expect(() => process.kill(Number(person.parent), 0)).toThrow());
    await report(inside, 'second', 'SessionStart', { source: 'resume' });
    await report(inside, 'third', 'SessionStart', { source: 'clear' });
    // A look at the pane before the first hook of the other process finds that the first one has ended.
    expect(led()).toEqual([expect.stringMatching(/^third (starting|ended)$/)]);
  });

  it('that a program without a terminal sends open no session, and end none', async () => {
    const { start, report, led } = await open();
    const person = await start();
    const headless = { ...person, parent: String(startWithoutTerminal().pid) };
    await report(headless, randomUUID());
    const flagged = await start('', '-p', 'hello');
    await report({ ...person, parent: flagged.parent }, randomUUID());
    expect(led()).toEqual([]);
    await report(person, 'first');
    await report(headless, 'first', 'SessionEnd', { reason: 'exit' });
    expect(led()).toEqual(['first starting']);
    await report(person, 'first', 'SessionEnd', { reason: 'exit' });
    expect(led()).not.toContain('first starting');
  });
});

it('a CLI that a tool of another CLI runs in a terminal of its own is no session of a person', async () => {
  const { start, report, led } = await open();
  const nesting = `require('child_process').spawn(process.execPath, ${JSON.stringify(WAIT)}, { stdio: 'inherit' })`;
  const person = await start(nesting);
  await report(person, 'first');
  const nested = await vi.waitUntil(async () => {
    const table = await readPsTable();
    return [...table.values()].find(({ parentPid }) => String(parentPid) === person.parent)?.pid;
  });
  await report({ tmux: undefined, pane: undefined, parent: String(nested) }, 'nested');
  expect(led()).toEqual(['first starting']);
});
