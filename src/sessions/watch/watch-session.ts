import { resolve } from 'node:path';
import type { SessionUpdate, WatchOptions } from '../../api/session-update.js';
import { invalidInput } from '../../base/errors/invalid-input.js';
import { statIfThere } from '../../base/fs/stats.js';
import { followSignal } from '../../base/process/abort-listeners.js';
import { isFilePath, requireSessionFile } from '../list/find-session.js';
import { acceptWanted, acceptWatchOptions } from '../session-input.js';
import { FileChangeSignal } from './file-change-signal.js';
import type { FileReading } from './file-reading.js';
import { JsonFollower } from './follow-json.js';
import { JsonlFollower } from './follow-jsonl.js';
import { SessionDiff } from './session-diff.js';

const POLL_INTERVAL_MS = 200;
const DEBOUNCE_MS = 20;

/**
 * Yields the changes of a session while the CLI writes it. `wanted` is a session as for `findSessionFile`, or a file,
 * which need not exist yet. The watch ends when the signal is aborted or the caller leaves the loop.
 */
export async function* watchSession(
  wanted: string | number,
  options: WatchOptions = {},
): AsyncGenerator<SessionUpdate, void> {
  const checked = acceptWatchOptions(options);
  const file = await locate(acceptWanted(wanted), checked);
  // Many watches may share one signal of the caller: each listens to a signal of its own.
  const { signal, stop } = followSignal(checked.signal);
  const readNew = createReader(file);
  const diff = new SessionDiff(checked);
  const changes = new FileChangeSignal(file, {
    signal,
    pollIntervalMs: checked.pollIntervalMs ?? POLL_INTERVAL_MS,
    debounceMs: checked.debounceMs ?? DEBOUNCE_MS,
  });
  let wasThere = false;
  let isFirst = true;
  try {
    for (; !signal.aborted; await changes.next()) {
      const found = await readUnlessGone(readNew);
      if (found === undefined) continue;
      if (found === 'gone') {
        changes.renew();
        if (wasThere) yield { type: 'gone' };
      } else {
        const updates = diff.accept(found);
        const isReported = !isFirst || checked.skipExisting !== true;
        for (const update of isReported ? updates : []) {
          // Stop at an abort between two updates.
          if (signal.aborted) return;
          yield update;
        }
      }
      wasThere = found !== 'gone';
      isFirst = false;
    }
  } finally {
    changes.close();
    stop();
  }
}

async function locate(wanted: string | number, options: WatchOptions): Promise<string> {
  if (!isFilePath(wanted)) return requireSessionFile(wanted, options);
  const file = resolve(wanted);
  const isOther = statIfThere(file)?.isFile() === false;
  if (isOther)
    throw invalidInput('session', 'a regular file, or a file that is still missing', file);
  return file;
}

function createReader(file: string): () => Promise<FileReading | undefined> {
  const follower = file.endsWith('.json') ? new JsonFollower() : new JsonlFollower();
  return () => follower.readNew(file);
}

async function readUnlessGone(
  readNew: () => Promise<FileReading | undefined>,
): Promise<FileReading | 'gone' | undefined> {
  try {
    return await readNew();
  } catch {
    return 'gone';
  }
}
