import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { findTmux } from '../../../../.config/tmux-binary.mjs';
import { createTmux, type RunTmux } from '../../../../src/remote/tmux/run-tmux.js';
import { type PaneView, TmuxPane } from '../../../../src/remote/tmux/tmux-pane.js';

const PROGRAM = fileURLToPath(
  new URL('../../../fixtures/interactive/fake-tui.mjs', import.meta.url),
);

export interface FakeScreen {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly string[];
  readonly hasInput: boolean;
}

export const IDLE: FakeScreen = { name: 'idle', title: '◇  Ready (x)', rows: [], hasInput: true };
export const WORKING: FakeScreen = {
  name: 'working',
  title: '✦  Working… (x)',
  rows: [],
  hasInput: true,
};
export const BLANK: FakeScreen = {
  name: 'blank',
  title: '✋  Action Required (x)',
  rows: [],
  hasInput: false,
};

/** A dialog about a command, as CLI 0.61 draws it. */
export function dialogOf(command: string, title = '✋  Action Required (x)'): FakeScreen {
  const rows = [
    `│ ? Shell  ${command}`,
    '│ Allow execution of [Shell]?',
    '│ ● 1. Allow once',
    '│   2. Allow for this session',
    '│   3. No, suggest changes (esc)',
  ].map((row) => `${row.padEnd(59)}│`);
  return {
    name: command,
    title,
    rows: [`╭${'─'.repeat(58)}╮`, ...rows, `╰${'─'.repeat(58)}╯`],
    hasInput: false,
  };
}

export interface FakeEvent {
  readonly type: 'key' | 'paste';
  readonly screen: string;
  readonly key?: string;
  readonly text?: string;
  readonly input?: string;
}

export interface FakeTerminal {
  readonly pane: TmuxPane;
  readonly run: RunTmux;
  /** Everything that has arrived at the program. */
  readonly events: FakeEvent[];
  /** Called once before the next command of tmux with this name. */
  before(command: string, action: () => Promise<void>): void;
  /** Draws a screen and waits until tmux shows it. */
  draw(screen: FakeScreen, swallowEnters?: number): Promise<void>;
  /** Draws a screen when the key arrives. */
  onKey(key: string, screen: FakeScreen): void;
  /** Lets the program stand still. */
  stall(ms: number): void;
  keys(): string[];
  kill(): Promise<void>;
}

/** Starts the fake program in a tmux of its own, which ends with the test. */
export async function openFakeTerminal(): Promise<FakeTerminal> {
  const { command, env } = findTmux();
  Object.assign(process.env, env);
  const folder = mkdtempSync(join(tmpdir(), 'fake-tui-'));
  const events: FakeEvent[] = [];
  const reactions = new Map<string, FakeScreen>();
  const send = (order: object): void => void connection?.write(`${JSON.stringify(order)}\n`);
  let connection: Socket | undefined;
  const connected = new Promise<void>((resolve) => {
    const server = createServer((socket) => {
      connection = socket;
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
        for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
          const event: FakeEvent = JSON.parse(text.slice(0, end));
          text = text.slice(end + 1);
          events.push(event);
          const screen = reactions.get(event.key ?? '');
          if (screen !== undefined) send({ screen });
        }
      });
      resolve();
    });
    server.listen(join(folder, 'tui.sock'));
    onTestFinished(() => {
      connection?.destroy();
      server.close();
    });
  });
  const direct = createTmux({ name: `fake-${randomUUID()}` }, command);
  onTestFinished(async () => void (await direct(['kill-server']).catch(() => '')));
  const id = (
    await direct([
      ...['new-session', '-d', '-P', '-F', '#{pane_id}', '-x', '70', '-y', '20'],
      ...[process.execPath, PROGRAM, join(folder, 'tui.sock')],
    ])
  ).trim();
  await connected;
  const hooks = new Map<string, () => Promise<void>>();
  const run: RunTmux = async (args, stdin) => {
    const name = args[0] ?? '';
    const action = hooks.get(name);
    hooks.delete(name);
    await action?.();
    return direct(args, stdin);
  };
  const watcher = new TmuxPane(direct, id);
  return {
    pane: new TmuxPane(run, id),
    run: direct,
    events,
    before: (name, action) => void hooks.set(name, action),
    draw: async (screen, swallowEnters = 0) => {
      send({ screen, swallowEnters });
      await untilView(watcher, (view) => isDrawn(view, screen));
    },
    onKey: (key, screen) => void reactions.set(key, screen),
    stall: (stallMs) => send({ stallMs }),
    keys: () => events.flatMap(({ key }) => key ?? []),
    kill: async () => void (await direct(['kill-server'])),
  };
}

async function untilView(pane: TmuxPane, isWanted: (view: PaneView) => boolean): Promise<void> {
  while (!isWanted(await pane.look())) await new Promise((resolve) => setTimeout(resolve, 10));
}

function isDrawn({ screen, state }: PaneView, wanted: FakeScreen): boolean {
  const sign = [...wanted.title][0];
  const titles = { '◇': 'ready', '✦': 'working', '✋': 'asking' };
  const isTitled = Object.entries(titles).some(([key, value]) => key === sign && value === state);
  if (!isTitled) return false;
  if (wanted.hasInput) return screen.input !== undefined;
  return wanted.rows.length === 0
    ? screen.dialog === undefined && screen.input === undefined
    : (screen.dialog?.text.includes(wanted.name) ?? false);
}
