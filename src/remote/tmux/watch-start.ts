import { setTimeout as sleep } from 'node:timers/promises';
import { readExitTitle } from './pane-script.js';
import { isPaneGone } from './run-tmux.js';
import { remainOnExit, type StartedCli } from './start-cli.js';

/** Time after which a CLI without a title of its own counts as started. */
const LIMIT_MS = 10_000;
const EVERY_MS = 150;
/** Signs at the beginning of the window title of a CLI that has drawn its screen. */
const TITLE = /^[◇✦✋]/u;
/** tmux sees the end of the terminal first, and the exit code of a script that was killed a moment later, or never. */
const STATUS_MS = 1_000;
/** Exit code for a CLI whose own is not known. */
const UNKNOWN_EXIT = 1;

/** How a CLI has ended before it was ready. */
export interface FailedStart {
  /** What stood on its screen. */
  readonly text: string;
  readonly exitCode: number;
}

/**
 * Watches a CLI that was started with `keepsScreen`, until its window title shows that it runs, or for some seconds. A CLI that
 * ends before is told with its last screen, and its session in tmux is removed. Returns undefined for one that runs.
 */
export async function watchStart(
  { run, name, pane }: StartedCli,
  limitMs = LIMIT_MS,
): Promise<FailedStart | undefined> {
  const format = '#{pane_dead} #{pane_dead_status} #{pane_title}';
  const read = async () => {
    const [, dead, status = '', title = ''] =
      /^(\d?) (\d*) (.*)/.exec(await run(['display-message', '-p', '-t', pane, format])) ?? [];
    return { isDead: dead === '1', status, title };
  };
  const look = async (): Promise<'runs' | 'waits' | FailedStart> => {
    let { isDead, status, title } = await read();
    if (!isDead) return TITLE.test(title) ? 'runs' : 'waits';
    const named = readExitTitle(title);
    const needsStatus = () => named === undefined && status === '';
    for (let waited = 0; needsStatus() && waited < STATUS_MS; waited += EVERY_MS) {
      await sleep(EVERY_MS);
      ({ status } = await read());
    }
    const screen = await run(['capture-pane', '-p', '-J', '-S', '-', '-t', pane]);
    await run(['kill-session', '-t', `=${name}`]);
    const exitCode = named ?? (status === '' ? UNKNOWN_EXIT : Number(status));
    return { text: cleanScreen(screen), exitCode };
  };
  const end = performance.now() + limitMs;
  try {
    for (;;) {
      const seen = await look();
      if (typeof seen === 'object') return seen;
      if (seen === 'runs' || performance.now() >= end) break;
      await sleep(EVERY_MS);
    }
    await run(remainOnExit(pane, false));
    // The CLI may have ended between the last look and the change: its pane stays.
    const last = await look();
    return typeof last === 'object' ? last : undefined;
  } catch (error) {
    // The person has closed the session.
    if (isPaneGone(error)) return undefined;
    throw error;
  }
}

/** Removes empty lines at both ends, and the line that tmux draws into a pane whose program has ended. */
function cleanScreen(screen: string): string {
  return screen.replace(/\n*Pane is dead\b[^\n]*\s*$/, '').replace(/^\s*\n|\s+$/g, '');
}
