import { hashFolder } from '../base/fs/hash-folder.js';
import { realpathOf } from '../base/fs/paths.js';
import { silentLogger } from '../config/logging.js';
import { RemoteWorkspace } from './remote-workspace.js';

/** Time in which a file system must answer before a batch, `validate()` or the doctor looks at it. */
const ANSWER_MS = 5_000;

/**
 * Throws TIMEOUT if one of the folders lies on a file system that does not answer. A look at such a folder would stop this
 * process. Folders on local disks cost the reading of the list of mounts.
 */
export async function assertReachable(
  folders: readonly string[],
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const remote = await openRemote(folders, signal);
  remote?.close();
}

/**
 * Hashes the files of a folder by path. On a remote file system another process does so: the file system may stop answering
 * meanwhile.
 */
export async function hashReachable(
  folder: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<Record<string, string>> {
  const remote = await openRemote([folder], signal);
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
): Promise<RemoteWorkspace | undefined> {
  return RemoteWorkspace.open({ folders, limitMs: ANSWER_MS, signal, logger: silentLogger });
}
