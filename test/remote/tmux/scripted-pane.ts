import { TmuxPane } from '../../../src/remote/tmux/tmux-pane.js';

export const READY = '◇  Ready (x)';
export const WORKING = '✦  Working… (x)';
export const ASKING = '✋  Action Required (x)';

/** The input box of the CLI with a text. */
export function boxOf(input: string, sign = '>'): string {
  const rows = input
    .split('\n')
    .map((row, index) => (index === 0 ? ` ${sign} ${row}` : `   ${row}`));
  return ['▄'.repeat(40), ...rows, '▀'.repeat(40)].join('\n');
}

/** A dialog of the CLI with rows of text and options; the first option has the mark. */
export function dialogOf(rows: readonly string[], options: readonly string[]): string {
  const marked = options.map((label, at) => `${at === 0 ? '●' : ' '} ${at + 1}. ${label}`);
  const lines = [...rows, ...marked].map((row) => `│ ${row.padEnd(56)} │`);
  return [`╭${'─'.repeat(58)}╮`, ...lines, `╰${'─'.repeat(58)}╯`].join('\n');
}

/** What a pane shows, and the flags that tmux tells about it. */
export interface Shown {
  readonly text: string;
  readonly title?: string;
  readonly isDead?: boolean;
  readonly isSynchronized?: boolean;
  readonly isInputOff?: boolean;
}

/** Creates a pane whose screens a test gives, without tmux. The screen is not compared with the guard of a key. */
export function createPane(first: Shown) {
  let shown = first;
  const commands: (readonly string[])[] = [];
  const keys: string[] = [];
  const pasted: string[] = [];
  const reactions = new Map<string, Shown>();
  /** Screens that the next looks see, before the present one. */
  const flashes: Shown[] = [];
  const state = { onLook: (): void => {}, pressed: true, pid: '4242' };
  const pane = new TmuxPane(async (args, stdin) => {
    commands.push(args);
    const [name] = args;
    if (name === 'display-message' && args.includes('#{pane_pid}')) return `${state.pid}\n`;
    if (name === 'display-message') {
      state.onLook();
      const { text, title = READY, ...flags } = flashes.shift() ?? shown;
      const { isDead = false, isSynchronized = false, isInputOff = false } = flags;
      const facts = [isDead, isSynchronized, isInputOff].map((flag) => (flag ? '1' : '0'));
      return `${[...facts, title].join('\u001f')}\n${text}\n`;
    }
    if (name === 'capture-pane') return `${shown.text}\n`;
    if (name === 'if-shell') {
      if (!state.pressed) return 'not-pressed\n';
      const key = args.at(-2)?.split(' ').at(-1) ?? '';
      keys.push(key);
      shown = reactions.get(key) ?? shown;
    }
    if (name === 'load-buffer') {
      pasted.push(stdin ?? '');
      shown = reactions.get('paste') ?? shown;
    }
    return '';
  }, '%1');
  return {
    ...{ pane, commands, keys, pasted, flashes, state },
    show: (next: Shown): void => {
      shown = next;
    },
    /** Shows a screen after a key, or after `paste`. */
    onKey: (key: string, next: Shown): void => void reactions.set(key, next),
  };
}
