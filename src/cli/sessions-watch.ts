import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { SessionUpdate } from '../api/session-update.js';
import type { UnifiedMessage } from '../api/unified-message.js';
import { describeAuthor, describeContent } from '../sessions/transcript/plain-transcript.js';
import { type Output, type Paint, print, printJson } from './output.js';

interface WatchFlags {
  readonly cwd?: string;
  readonly file?: string;
  readonly skipExisting?: boolean;
  readonly extras?: boolean;
  readonly json?: boolean;
}

export function addSessionsWatch(sessions: Command, output: Output): void {
  const command = sessions
    .command('watch')
    .description('a session while the CLI writes it, until Ctrl-C')
    .argument('[session]', 'id, first eight characters of it, number in the project, or "latest"')
    .option('-C, --cwd <dir>', 'the project (default: the current folder)')
    .option('--file <file>', 'a session file in place of a session; it need not be there yet')
    .option('--skip-existing', 'only what is written from now on')
    .option('--extras', "the CLI's own context, repeated tool answers and remarks too, marked")
    .option('--json', 'print every update as a JSON line');
  command.action(async (wanted: string | undefined, flags: WatchFlags) => {
    if ((wanted === undefined) === (flags.file === undefined)) {
      command.error('error: give either a session or --file');
    }
    await watch(flags.file === undefined ? (wanted ?? '') : resolve(flags.file), flags, output);
  });
}

async function watch(wanted: string, flags: WatchFlags, output: Output): Promise<void> {
  const end = new AbortController();
  const stop = (): void => end.abort();
  process.on('SIGINT', stop).on('SIGTERM', stop);
  output.broken.addEventListener('abort', stop);
  const shown = new ShownMessages(output.stdout.paint);
  try {
    const { watchSession } = await import('../sessions/watch/watch-session.js');
    const updates = watchSession(wanted, {
      ...(flags.cwd === undefined ? {} : { projectDir: flags.cwd }),
      signal: end.signal,
      skipExisting: flags.skipExisting === true,
      extras: flags.extras === true ? 'mark' : 'omit',
    });
    for await (const update of updates) {
      if (flags.json === true) await printJson(output.stdout, update);
      else await print(output.stdout, shown.describe(update));
    }
  } finally {
    output.broken.removeEventListener('abort', stop);
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** Of a message that is written again, only the lines that are new. */
class ShownMessages {
  readonly #paint: Paint;
  readonly #lines = new Map<string, ReadonlySet<string>>();

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  describe(update: SessionUpdate): string {
    switch (update.type) {
      case 'message':
        return this.#describeMessage(update.message);
      case 'removed':
        return this.#paint.dim(`  (${update.ids.length} messages were taken back)\n`);
      case 'gone':
        return this.#paint.yellow('  the file is gone; waiting for it to come back\n');
      case 'problem':
        return this.#paint.yellow(`  ${update.diagnostic.message}\n`);
      case 'status':
        return '';
    }
  }

  #describeMessage(message: UnifiedMessage): string {
    const lines = describeContent(message, this.#paint);
    const known = this.#lines.get(message.id);
    this.#lines.set(message.id, new Set(lines));
    const shown =
      known === undefined
        ? ['', describeAuthor(message, this.#paint), ...lines]
        : lines.filter((line) => !known.has(line));
    return shown.map((line) => `${line}\n`).join('');
  }
}
