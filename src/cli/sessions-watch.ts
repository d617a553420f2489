import type { Command } from 'commander';
import type { SessionUpdate } from '../api/session-update.js';
import type { UnifiedMessage } from '../api/unified-message.js';
import { describeAuthor, describeContent } from '../sessions/transcript/plain-transcript.js';
import { type Output, type Paint, print, printJson } from './output.js';
import { addExtrasFlag, addSessionArgument, readSessionArgument } from './session-argument.js';
import { listenToSignals } from './signals.js';

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
    .description('Print a session while the CLI writes it, until Ctrl-C');
  addSessionArgument(command)
    .option('--file <file>', 'Session file instead of a session; the file need not exist yet')
    .option('--skip-existing', 'Skip messages that are already in the file');
  addExtrasFlag(command)
    .option('--json', 'Print every update as a JSON line')
    .action(async (wanted: string | undefined, flags: WatchFlags) => {
      await watch(readSessionArgument(command, wanted, flags.file), flags, output);
    });
}

async function watch(wanted: string, flags: WatchFlags, output: Output): Promise<void> {
  const end = new AbortController();
  const stop = (): void => end.abort();
  const signals = listenToSignals(output, { onInterrupt: stop, onEnd: stop });
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
    if (signals.hangupExitCode !== undefined) process.exitCode = signals.hangupExitCode;
  } finally {
    signals.forget();
  }
}

/** Describes updates of a session. If a message is written again, only its new lines are returned. */
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
        return this.#paint.dim(`  (${update.ids.length} messages removed)\n`);
      case 'gone':
        return this.#paint.yellow('  The session file is gone; waiting until it exists again\n');
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
