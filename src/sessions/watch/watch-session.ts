import { resolve } from 'node:path';
import type { SessionUpdate, WatchOptions } from '../../api/session-update.js';
import { isFilePath, requireSessionFile } from '../list/find-session.js';
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
  const signal = options.signal ?? new AbortController().signal;
  const file = await locate(wanted, options);
  const readNew = createReader(file);
  const diff = new SessionDiff(options);
  const changes = new FileChangeSignal(file, {
    signal,
    pollIntervalMs: options.pollIntervalMs ?? POLL_INTERVAL_MS,
    debounceMs: options.debounceMs ?? DEBOUNCE_MS,
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
        const isReported = !isFirst || options.skipExisting !== true;
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
  }
}

async function locate(wanted: string | number, options: WatchOptions): Promise<string> {
  return isFilePath(wanted) ? resolve(wanted) : requireSessionFile(wanted, options);
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
