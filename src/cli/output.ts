import pc from 'picocolors';

export type Paint = ReturnType<typeof pc.createColors>;

/** Paint without colours, for files. */
export const PLAIN: Paint = pc.createColors(false);

export interface Printer {
  readonly stream: NodeJS.WriteStream;
  /** Paint without colours if the stream is no terminal or NO_COLOR is set. */
  readonly paint: Paint;
}

/** Streams of a command. */
export interface Output {
  readonly stdout: Printer;
  readonly stderr: Printer;
  /** Aborted when stdout or stderr can no longer be written. */
  readonly broken: AbortSignal;
}

export function createOutput(
  env: Readonly<Record<string, string | undefined>>,
  broken: AbortSignal = new AbortController().signal,
): Output {
  const isForbidden = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  const isForced = (env['FORCE_COLOR'] ?? '0') !== '0';
  const createPrinter = (stream: NodeJS.WriteStream): Printer => {
    const hasColors = !isForbidden && (isForced || stream.isTTY === true);
    return { stream, paint: pc.createColors(hasColors) };
  };
  return { stdout: createPrinter(process.stdout), stderr: createPrinter(process.stderr), broken };
}

/** Writes a text and waits until it is out: `process.exit` would cut off what a pipe has not taken yet. */
export async function print({ stream }: Printer, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    stream.write(text, () => resolve());
  });
}

export function printJson(printer: Printer, value: unknown): Promise<void> {
  return print(printer, `${JSON.stringify(value)}\n`);
}
