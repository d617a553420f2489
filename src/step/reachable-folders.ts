import { ProviderError } from '../base/errors/provider-error.js';
import { hashFolder } from '../base/fs/hash-folder.js';
import { realpathOf } from '../base/fs/paths.js';
import { callOnAbort } from '../base/process/abort-listeners.js';
import { silentLogger } from '../config/logging.js';
import { isKnownSilent, RemoteWorkspace } from './remote-workspace.js';

/** Longest time in which a file system must answer before a batch or the doctor looks at it. */
const ANSWER_MS = 5_000;
/** Time in which a file system must answer after a cancel. */
const LAST_ANSWER_MS = 1_500;

/** Errors of file systems that did not answer. */
const unreachable = new WeakSet<object>();

export interface ReachableOptions {
  /** Ends the wait for the answer. */
  readonly signal?: AbortSignal | undefined;
  /** Limit of the caller. A shorter one than five seconds counts. */
  readonly limitMs?: number | undefined;
}

/**
 * Throws TIMEOUT if one of the folders lies on a file system that does not answer, and CANCELLED if the signal is aborted
 * before the answer. A look at such a folder would stop this process. Folders on local disks cost the reading of the list
 * of mounts, and are not asked.
 */
export async function assertReachable(
  folders: readonly (string | undefined)[],
  { signal = new AbortController().signal, limitMs = ANSWER_MS }: ReachableOptions = {},
): Promise<void> {
  const given = folders.filter((folder) => folder !== undefined);
  try {
    const remote = await openRemote(given, signal, Math.min(limitMs, ANSWER_MS));
    remote?.close();
  } catch (error) {
    throw signal.aborted ? cancelled(error) : error;
  }
}

/**
 * Throws TIMEOUT if one of the folders lies on a file system that does not answer. For work that a cancelled batch still has
 * to do: after the abort, the file system has a short time left.
 */
export async function assertStillReachable(
  folders: readonly string[],
  cancel: AbortSignal,
): Promise<void> {
  if (cancel.aborted && isKnownSilent(folders)) throw rememberUnreachable(noAnswer(folders));
  const end = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = callOnAbort(cancel, () => {
    timer = setTimeout(() => end.abort(), LAST_ANSWER_MS);
  });
  try {
    const remote = await openRemote(folders, end.signal, ANSWER_MS);
    remote?.close();
  } catch (error) {
    throw rememberUnreachable(end.signal.aborted ? noAnswer(folders) : error);
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** True for an error of `assertStillReachable`: the work was not begun, and can be done when the file system answers again. */
export function isUnreachable(error: unknown): boolean {
  return typeof error === 'object' && error !== null && unreachable.has(error);
}

/**
 * Hashes the files of a folder by path. On a remote file system another process does so: the file system may stop answering
 * meanwhile.
 */
export async function hashReachable(
  folder: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<Record<string, string>> {
  const remote = await openRemote([folder], signal, ANSWER_MS);
  if (remote === undefined) return hashFolder(realpathOf(folder), signal);
  try {
    return await remote.hashFolder(folder, signal);
  } finally {
    remote.close();
  }
}

function openRemote(
  folders: readonly string[],
  signal: AbortSignal,
  limitMs: number,
): Promise<RemoteWorkspace | undefined> {
  return RemoteWorkspace.open({ folders, limitMs, signal, logger: silentLogger });
}

function rememberUnreachable(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) unreachable.add(error);
  return error;
}

function noAnswer(folders: readonly string[]): ProviderError {
  return new ProviderError({
    code: 'TIMEOUT',
    phase: 'start',
    message: `The file system of ${folders.join(', ')} does not answer`,
    hint: 'Check the server of the mount, and run the same command again.',
  });
}

function cancelled(cause: unknown): ProviderError {
  return new ProviderError({
    code: 'CANCELLED',
    phase: 'start',
    message: 'Cancelled before the file system had answered',
    hint: 'No step was run. Do the same again to start.',
    cause,
  });
}
