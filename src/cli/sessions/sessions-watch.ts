import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import type { SessionUpdate } from '../../api/session-update.js';
import type { UnifiedMessage } from '../../api/unified-message.js';
import { cleanName } from '../../base/text/clean-text.js';
import { countOf } from '../../base/text/count-of.js';
import { describeAuthor, describeContent } from '../../sessions/transcript/plain-transcript.js';
import { type Output, type Paint, print, printJson, sayOn } from '../output/output.js';
import { listenToSignals } from '../signals.js';
import {
  addExtrasFlag,
  addSessionArgument,
  LATEST,
  readSessionArgument,
} from './session-argument.js';

/** Time between two looks for a new session. */
const LOOK_INTERVAL_MS = 1_000;

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
    .description(
      'Print a session while the CLI writes it, until Ctrl-C; without an id, the latest one and those that follow',
    );
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
  try {
    if (wanted === LATEST) await watchLatest(flags, output, end.signal);
    else await watchOne(wanted, flags, output, end.signal);
    if (signals.hangupExitCode !== undefined) process.exitCode = signals.hangupExitCode;
  } finally {
    signals.forget();
  }
}

async function watchOne(
  wanted: string,
  flags: WatchFlags,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const shown = new ShownMessages(output.stdout.paint);
  const { watchSession } = await import('../../sessions/watch/watch-session.js');
  const updates = watchSession(wanted, {
    ...(flags.cwd === undefined ? {} : { projectDir: flags.cwd }),
    signal,
    skipExisting: flags.skipExisting === true,
    extras: flags.extras === true ? 'mark' : 'omit',
  });
  for await (const update of updates) {
    if (flags.json === true) await printJson(output.stdout, update);
    else await print(output.stdout, shown.describe(update));
  }
}

/** Watches the latest session of the project, and goes on with the next one as soon as the CLI begins it. */
async function watchLatest(flags: WatchFlags, output: Output, end: AbortSignal): Promise<void> {
  const { findSessionFile } = await import('../../sessions/list/find-session.js');
  const projectDir = resolve(flags.cwd ?? '.');
  const find = () => findSessionFile(LATEST, { projectDir });
  const { dim } = output.stderr.paint;
  const say = sayOn(output.stderr);
  let file = await find();
  if (file === undefined) say(dim(`Waiting for the first session of ${cleanName(projectDir)}`));
  for (let isNext = file === undefined; !end.aborted; isNext = true) {
    if (file === undefined) file = await waitForOther(file, find, end);
    if (file === undefined) return;
    if (isNext) say(dim(`Session file ${cleanName(file)}`));
    const other = new AbortController();
    const current = file;
    const next = waitForOther(current, find, end).finally(() => other.abort());
    // Messages of a session that has just begun are new.
    const options = isNext ? { ...flags, skipExisting: false } : flags;
    await watchOne(current, options, output, AbortSignal.any([end, other.signal]));
    file = await next;
  }
}

/** Waits until another session is the latest one. Returns undefined after an abort. */
async function waitForOther(
  current: string | undefined,
  find: () => Promise<string | undefined>,
  signal: AbortSignal,
): Promise<string | undefined> {
  while (!signal.aborted) {
    const latest = await find();
    if (latest !== undefined && latest !== current) return latest;
    await setTimeout(LOOK_INTERVAL_MS, undefined, { signal }).catch(() => {});
  }
  return undefined;
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
        return this.#paint.dim(`  (${countOf(update.ids.length, 'message')} removed)\n`);
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
