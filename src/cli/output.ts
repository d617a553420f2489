import pc from 'picocolors';

/** Where a command prints, and whether anybody is looking. */
export interface Output {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Colours for stderr; plain where it is no terminal or NO_COLOR is set. */
  readonly paint: ReturnType<typeof pc.createColors>;
}

export function createOutput(env: Readonly<Record<string, string | undefined>>): Output {
  const { stdout, stderr } = process;
  const isForbidden = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  const isForced = (env['FORCE_COLOR'] ?? '0') !== '0';
  const hasColors = !isForbidden && (isForced || stderr.isTTY === true);
  return { stdout, stderr, paint: pc.createColors(hasColors) };
}

/** Resolves when the line is out: `process.exit` would cut off what a pipe has not taken yet. */
export async function print(stream: NodeJS.WriteStream, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    stream.write(text, () => resolve());
  });
}

export function printJson(stream: NodeJS.WriteStream, value: unknown): Promise<void> {
  return print(stream, `${JSON.stringify(value)}\n`);
}
