import { fstatSync } from 'node:fs';
import { cleanText } from '../../base/text/clean-text.js';
import { safeJson } from '../../base/text/safe-json.js';
import { cleanPainted, createPaint, type Paint } from './paint.js';

export type { Paint } from './paint.js';

/** Paint without colours, for files. */
export const PLAIN: Paint = createPaint(false);

/** One of the two output streams. Only this module writes to them, so that no command can print a text as it is. */
export interface Printer {
  /** Paint without colours if the stream is no terminal or NO_COLOR is set. */
  readonly paint: Paint;
  /** Size of the terminal; undefined if the stream is no terminal. */
  readonly terminal: TerminalSize | undefined;
  /** Cleans a text and writes it. With `erase`, lines of the terminal are erased first. */
  write(text: string, erase?: Erasure): Promise<void>;
  /** Writes a text byte for byte, unless the stream is a terminal. */
  writeExact(text: string): Promise<void>;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Number of whole lines above the cursor to erase, or the line of the cursor. */
export type Erasure = number | 'line';

/** Streams of a command. */
export interface Output {
  readonly stdout: Printer;
  readonly stderr: Printer;
  /** Aborted when stdout or stderr can no longer be written. */
  readonly broken: AbortSignal;
  /** True if the command goes on after its terminal was closed, as under nohup. */
  readonly ignoresHangup: boolean;
  /** True if stdout and stderr go to the same terminal, file or pipe, so that their lines mix. */
  readonly isShared: boolean;
}

export function createOutput(
  env: Readonly<Record<string, string | undefined>>,
  broken: AbortSignal = new AbortController().signal,
  ignoresHangup = false,
): Output {
  const isForbidden = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  const isForced = (env['FORCE_COLOR'] ?? '0') !== '0';
  const create = (stream: NodeJS.WriteStream): Printer => {
    return createPrinter(stream, !isForbidden && (isForced || stream.isTTY === true));
  };
  return {
    stdout: create(process.stdout),
    stderr: create(process.stderr),
    broken,
    ignoresHangup,
    isShared: isSameFile(process.stdout.fd, process.stderr.fd),
  };
}

function isSameFile(one: number, other: number): boolean {
  try {
    const [a, b] = [fstatSync(one), fstatSync(other)];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    // One of them is closed, or the caller has replaced the stream.
    return false;
  }
}

function createPrinter(stream: NodeJS.WriteStream, hasColors: boolean): Printer {
  /** Waits until the text is out: `process.exit` would cut off what a pipe has not taken yet. */
  const send = async (text: string): Promise<void> => {
    await new Promise<void>((resolve) => {
      stream.write(text, () => resolve());
    });
  };
  const write = (text: string, erase: Erasure = 0): Promise<void> => {
    return send(`${toSequence(erase)}${cleanPainted(text, cleanText)}`);
  };
  return {
    paint: createPaint(hasColors),
    get terminal() {
      return stream.isTTY === true ? readSize(stream) : undefined;
    },
    write,
    writeExact: (text) => (stream.isTTY === true ? write(text) : send(text)),
  };
}

/** Asks the terminal itself: Node updates `columns` some time after the terminal has wrapped its lines. */
function readSize(stream: NodeJS.WriteStream): TerminalSize {
  try {
    const [columns, rows] = stream.getWindowSize();
    return { columns, rows };
  } catch {
    // The terminal was closed, or the stream only says that it is one.
    const { columns = 80, rows = 24 } = stream;
    return { columns, rows };
  }
}

function toSequence(erase: Erasure): string {
  if (erase === 'line') return '\r\u001b[2K';
  // Line by line: tmux keeps a copy of the screen in its history if one sequence clears the screen from its first line on.
  return erase === 0 ? '' : `${'\u001b[1A\u001b[2K'.repeat(erase)}\r`;
}

/** Cleans a text, writes it and waits until it is out. */
export function print(printer: Printer, text: string): Promise<void> {
  return printer.write(text);
}

/** Returns a function that prints a line, without waiting for it. */
export function sayOn(printer: Printer): (line: string) => void {
  return (line) => void print(printer, `${line}\n`);
}

export function printJson(printer: Printer, value: unknown): Promise<void> {
  return print(printer, `${safeJson(value)}\n`);
}
