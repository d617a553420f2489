import { fileURLToPath } from 'node:url';
import type { Logger } from '../api/logger.js';
import type { StepWarning } from '../api/result.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { findRemoteMounts } from '../base/fs/mounts.js';
import { limitSignal } from '../base/process/abort-listeners.js';
import { RequestProcess } from '../base/process/request-process.js';
import type { WorkspaceSnapshotRequest } from './manifest/snapshot.js';
import type { WorkspaceChange, WorkspaceSnapshot } from './manifest/workspace-change.js';

/** Path of the bundled scanner, seen from `src/` and `.build/`. The build rewrites it for `dist/`. */
const SCANNER_MAIN = fileURLToPath(new URL('../../dist/scanner.js', import.meta.url));

/** Time in which a file system that is not gone has answered. */
const ANSWER_MS = 5_000;
/** Time for an answer at the end of a step, which may have been cancelled. */
const SOON_MS = 1_000;

/** Time in which a file system that has not answered counts as gone for a caller that has no time to ask again. */
const GONE_MS = 5_000;
/** Mounts that have not answered, with the time of the last question. */
const silentMounts = new Map<string, number>();

/** True if one of the folders lies on a file system that has not answered in the last seconds. */
export function isKnownSilent(folders: readonly string[]): boolean {
  return findRemoteMounts(folders).some((mount) => {
    const askedMs = silentMounts.get(mount);
    return askedMs !== undefined && performance.now() - askedMs < GONE_MS;
  });
}

export type ScannerRequest =
  | { readonly type: 'probe'; readonly folders: readonly string[] }
  | { readonly type: 'snapshot'; readonly request: Omit<WorkspaceSnapshotRequest, 'signal'> }
  | { readonly type: 'changes' }
  | { readonly type: 'hashes'; readonly folder: string };

export interface RemoteWorkspaceRequest {
  readonly folders: readonly string[];
  /** Remote mounts of the folders. Default: those that the system lists. */
  readonly mounts?: readonly string[] | undefined;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/**
 * Workspace that lies on a remote file system, or has one in it. A call on a file system whose server is gone waits in the
 * kernel without end, and a synchronous one stops the whole host. So a process of its own looks first, and scans.
 */
export class RemoteWorkspace {
  readonly mounts: readonly string[];
  readonly #folders: readonly string[];
  readonly #logger: Logger;
  readonly #scanner = new RequestProcess(SCANNER_MAIN);
  #isDead = false;

  /** Returns undefined for a workspace on local disks alone, at the cost of reading the list of mounts. */
  static async open(request: RemoteWorkspaceRequest): Promise<RemoteWorkspace | undefined> {
    const { folders, limitMs, signal } = request;
    const { mounts = findRemoteMounts(folders) } = request;
    if (mounts.length === 0) return undefined;
    const workspace = new RemoteWorkspace(mounts, request);
    const limit = limitSignal(signal, limitMs);
    try {
      if (await workspace.answers(limit.signal)) return workspace;
    } finally {
      limit.stop();
    }
    workspace.close();
    signal.throwIfAborted();
    throw new ProviderError({ code: 'TIMEOUT', phase: 'start', ...workspace.problem });
  }

  private constructor(
    mounts: readonly string[],
    { folders, logger }: Pick<RemoteWorkspaceRequest, 'folders' | 'logger'>,
  ) {
    this.mounts = mounts;
    this.#folders = folders;
    this.#logger = logger;
  }

  /** Message and hint for a file system that does not answer. */
  get problem(): { readonly message: string; readonly hint: string } {
    return {
      message: `The file system at ${this.mounts.join(', ')} does not answer`,
      hint: `Check the server of the mount, or unmount it (umount -l ${this.mounts[0]}). Process ${this.#scanner.pid}, which looked at the file system, hangs until then.`,
    };
  }

  /** Warnings of a step whose files could not be read at the end. */
  get warnings(): readonly StepWarning[] {
    const message = `${this.problem.message}: the files of the step were not read.`;
    return [{ code: 'WORKSPACE_NOT_COMPARED', message }];
  }

  /** True if the file system answers before the signal is aborted. A file system that does not is not asked again. */
  async answers(signal: AbortSignal): Promise<boolean> {
    // An aborted signal tells nothing about the file system.
    if (this.#isDead || signal.aborted) return false;
    try {
      await this.#ask(
        { type: 'probe', folders: [...new Set([...this.#folders, ...this.mounts])] },
        signal,
      );
      for (const mount of this.mounts) silentMounts.delete(mount);
      return true;
    } catch {
      if (signal.aborted) this.#report();
      return !signal.aborted;
    }
  }

  /** True if the file system answers within a second. */
  answersSoon(): Promise<boolean> {
    return this.answers(AbortSignal.timeout(SOON_MS));
  }

  /** Throws if the file system does not answer. */
  async assertAnswers(): Promise<void> {
    if (!(await this.answers(AbortSignal.timeout(ANSWER_MS))))
      throw new Error(this.problem.message);
  }

  /** Takes the snapshot in the process of the scanner. */
  async takeSnapshot({ signal, ...request }: WorkspaceSnapshotRequest): Promise<WorkspaceSnapshot> {
    await this.#ask({ type: 'snapshot', request }, signal);
    return {
      changes: async (limit) => {
        const changes = await this.#ask({ type: 'changes' }, limit);
        return isChangeList(changes) ? changes : [];
      },
    };
  }

  /** Hashes the files of a folder in the process of the scanner. */
  async hashFolder(folder: string, signal: AbortSignal): Promise<Record<string, string>> {
    return Object(await this.#ask({ type: 'hashes', folder }, signal));
  }

  /** Ends the scanner, or leaves it behind if it hangs. */
  close(): void {
    this.#scanner.end();
  }

  #ask(request: ScannerRequest, signal: AbortSignal | undefined): Promise<unknown> {
    return this.#scanner.ask(request, signal);
  }

  #report(): void {
    this.#isDead = true;
    const { mounts } = this;
    for (const mount of mounts) silentMounts.set(mount, performance.now());
    const fields = { mounts, scannerPid: this.#scanner.pid };
    this.#logger.warn(
      fields,
      'The file system does not answer, and the scanner hangs in the kernel',
    );
  }
}

/** The scanner runs the code of this package, so only the outer form is checked. */
function isChangeList(value: unknown): value is WorkspaceChange[] {
  return Array.isArray(value);
}
