import { fileURLToPath } from 'node:url';
import { ProviderError } from '../../../base/errors/provider-error.js';
import { findRemoteMounts } from '../../../base/fs/mounts.js';
import { callOnAbort } from '../../../base/process/abort-listeners.js';
import { RequestProcess } from '../../../base/process/request-process.js';
import { unlessAborted } from '../../../base/process/timing.js';
import { cancelled } from '../git-output.js';
import type { IsolatedWorkspace, IsolationOptions } from '../isolated-workspace.js';
import type { SavedRequest } from '../open-saved-here.js';
import { createPathMap } from '../path-map.js';
import { fromAnswer } from './answer-call.js';
import type { HostAnswer, HostMethods, WorkspaceKey } from './host-methods.js';
import { RemoteChangeSet } from './remote-change-set.js';

/** Path of the bundled program, seen from `src/` and `.build/`. The build rewrites it for `dist/`. */
const HOST_MAIN = fileURLToPath(new URL('../../../../dist/isolator.js', import.meta.url));

type Args<M extends keyof HostMethods> = Parameters<HostMethods[M]>;
type Value<M extends keyof HostMethods> = Awaited<ReturnType<HostMethods[M]>>;

/**
 * Process that isolates steps on remote file systems. All steps on a mount share one process, because merges into one folder wait for
 * each other. The process ends when the last workspace is removed.
 */
export class RemoteIsolation {
  /** Processes by the mounts that they work on: one that hangs must not stop the steps on other file systems. */
  static readonly #byMounts = new Map<string, RemoteIsolation>();
  static #keys = 0;
  readonly #mounts: string;
  readonly #process = new RequestProcess(HOST_MAIN);
  /** Workspaces that are not removed yet. */
  readonly #open = new Set<WorkspaceKey>();

  /** Returns the process for a working directory; undefined for a folder on a local disk. */
  static for(workspaceDir: string): RemoteIsolation | undefined {
    const mounts = findRemoteMounts([workspaceDir]).sort().join('\n');
    if (mounts === '') return undefined;
    const found = RemoteIsolation.#byMounts.get(mounts) ?? new RemoteIsolation(mounts);
    RemoteIsolation.#byMounts.set(mounts, found);
    return found;
  }

  private constructor(mounts: string) {
    this.#mounts = mounts;
  }

  async open({ signal, ...options }: IsolationOptions): Promise<IsolatedWorkspace> {
    const key = this.#add();
    const opening = this.call('open', key, options);
    // The process goes on with the removal of what it has created. The caller does not wait for that.
    const stop = signal && callOnAbort(signal, () => void this.#cancel(key));
    try {
      const { folders, notes } = await unlessAborted(opening, signal).catch((error: unknown) => {
        throw signal?.aborted ? cancelled() : error;
      });
      return this.#describe(key, options, folders, notes);
    } catch (error) {
      void opening.catch(() => {}).finally(() => this.remove(key));
      throw error;
    } finally {
      stop?.();
    }
  }

  async openSaved(request: SavedRequest): Promise<RemoteChangeSet | undefined> {
    const key = this.#add();
    const changes = await this.call('openSaved', key, request).catch((error: unknown) => {
      this.remove(key);
      throw error;
    });
    if (changes !== undefined) return new RemoteChangeSet(this, key, changes);
    this.remove(key);
    return undefined;
  }

  async call<M extends keyof HostMethods>(method: M, ...args: Args<M>): Promise<Value<M>> {
    const answer = await this.#process.ask({ method, args }).catch((error: unknown) => {
      // The workspaces of a process that has ended are left to the next clean-up.
      this.#forget();
      throw new ProviderError({
        code: 'INCOMPLETE',
        message: 'The process that isolates the step has ended',
        cause: error,
      });
    });
    if (!isAnswer<Value<M>>(answer)) throw new TypeError(`No answer to ${method}`);
    const settled = fromAnswer(answer);
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value;
  }

  /** Forgets a workspace that the process has removed. */
  remove(key: WorkspaceKey): void {
    this.#open.delete(key);
    if (this.#open.size > 0) return;
    this.#forget();
    this.#process.leave();
  }

  #forget(): void {
    const isCurrent = RemoteIsolation.#byMounts.get(this.#mounts) === this;
    if (isCurrent) RemoteIsolation.#byMounts.delete(this.#mounts);
  }

  #add(): WorkspaceKey {
    const key = RemoteIsolation.#keys++;
    this.#open.add(key);
    return key;
  }

  async #cancel(key: WorkspaceKey): Promise<void> {
    await this.call('cancel', key).catch(() => {});
  }

  #describe(
    key: WorkspaceKey,
    { kind }: Pick<IsolationOptions, 'kind'>,
    folders: IsolatedWorkspace['folders'],
    notes: readonly string[],
  ): IsolatedWorkspace {
    const gone = (): void => this.remove(key);
    return {
      kind,
      isRemote: true,
      dir: folders.dir,
      folders,
      notes,
      ...createPathMap(folders),
      collectChanges: async (options) => {
        return new RemoteChangeSet(this, key, await this.call('collectChanges', key, options));
      },
      saveChanges: async (options) => {
        return new RemoteChangeSet(this, key, await this.call('saveChanges', key, options));
      },
      removeFiles: () => this.call('removeFiles', key),
      keepPatch: (options) => this.call('keepWorkspacePatch', key, options),
      abandon: (options) => this.call('abandon', key, options).finally(gone),
      dispose: () => this.call('dispose', key).finally(gone),
    };
  }
}

/** The process runs the code of this package, so only the outer form is checked. */
function isAnswer<T>(value: unknown): value is HostAnswer<T> {
  return typeof value === 'object' && value !== null && ('value' in value || 'error' in value);
}
