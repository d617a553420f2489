import { ProviderError } from '../../../base/errors/provider-error.js';
import { StepChangeSet } from '../change-set.js';
import { cancelled } from '../git-output.js';
import type { ChangeSet, IsolatedWorkspace } from '../isolated-workspace.js';
import { mergeHere } from '../merge-together.js';
import { openHere } from '../open-here.js';
import { openSavedHere } from '../open-saved-here.js';
import { toAnswer } from './answer-call.js';
import type { HostCall, HostedChanges, HostMethods, WorkspaceKey } from './host-methods.js';

interface Hosted {
  readonly opening: AbortController;
  workspace?: IsolatedWorkspace | undefined;
  changes?: StepChangeSet | undefined;
}

/** Isolates steps on behalf of another process, which a slow file system must not stop. */
export class IsolationHost {
  readonly #hosted = new Map<WorkspaceKey, Hosted>();
  readonly #pending = new Set<Promise<unknown>>();

  readonly #methods: HostMethods = {
    open: async (key, options) => {
      const hosted = this.#add(key);
      const { signal } = hosted.opening;
      try {
        const workspace = await openHere({ ...options, signal });
        hosted.workspace = workspace;
        if (signal.aborted) {
          await workspace.dispose();
          throw cancelled();
        }
        return { folders: workspace.folders, notes: workspace.notes };
      } catch (error) {
        this.#hosted.delete(key);
        throw error;
      }
    },
    cancel: async (key) => {
      const hosted = this.#hosted.get(key);
      hosted?.opening.abort();
      if (hosted?.workspace === undefined) return;
      this.#hosted.delete(key);
      await hosted.workspace.dispose();
    },
    openSaved: async (key, request) => {
      const changes = await openSavedHere(request);
      if (changes === undefined) return undefined;
      return this.#describe(this.#add(key), changes);
    },
    collectChanges: async (key, options) => {
      const hosted = this.#get(key);
      return this.#describe(hosted, await this.#workspace(key).collectChanges(options));
    },
    saveChanges: async (key, options) => {
      const hosted = this.#get(key);
      return this.#describe(hosted, await this.#workspace(key).saveChanges(options));
    },
    removeFiles: (key) => this.#workspace(key).removeFiles(),
    keepWorkspacePatch: (key, options) => this.#workspace(key).keepPatch(options),
    abandon: (key, options) => {
      const workspace = this.#workspace(key);
      this.#hosted.delete(key);
      return workspace.abandon(options);
    },
    mergeTogether: async (merges) => {
      const requests = merges.map(({ key, patchFile }) => {
        return { changes: this.#changes(key), patchFile };
      });
      return (await mergeHere(requests)).map(toAnswer);
    },
    compareMerged: (key, path) => this.#changes(key).compareMerged(path),
    keepMerge: (key) => this.#changes(key).keepMerge(),
    keepPatch: (key, patchFile) => this.#changes(key).keepPatch(patchFile),
    dispose: async (key) => {
      const { workspace, changes } = this.#get(key);
      this.#hosted.delete(key);
      await (changes ?? workspace)?.dispose();
    },
  };

  /** Answers one call. */
  serve({ method, args }: HostCall): Promise<unknown> {
    const call: (...args: never[]) => Promise<unknown> = this.#methods[method];
    const work = Promise.allSettled([Reflect.apply(call, undefined, [...args])]);
    const answer = work.then(([settled]) => settled && toAnswer(settled));
    this.#pending.add(answer);
    return answer.finally(() => this.#pending.delete(answer));
  }

  /** Resolves when all calls are over. Workspaces that are being opened are removed. */
  async settle(): Promise<void> {
    for (const { opening } of this.#hosted.values()) opening.abort();
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
  }

  #add(key: WorkspaceKey): Hosted {
    const hosted = { opening: new AbortController() };
    this.#hosted.set(key, hosted);
    return hosted;
  }

  #get(key: WorkspaceKey): Hosted {
    const hosted = this.#hosted.get(key);
    if (hosted !== undefined) return hosted;
    throw new ProviderError({ code: 'UNKNOWN', message: 'The isolated workspace is gone' });
  }

  #workspace(key: WorkspaceKey): IsolatedWorkspace {
    const { workspace } = this.#get(key);
    if (workspace !== undefined) return workspace;
    throw new ProviderError({ code: 'UNKNOWN', message: 'The isolated workspace is gone' });
  }

  #changes(key: WorkspaceKey): StepChangeSet {
    const { changes } = this.#get(key);
    if (changes !== undefined) return changes;
    throw new ProviderError({ code: 'UNKNOWN', message: 'The changes of the step are gone' });
  }

  #describe(hosted: Hosted, changes: ChangeSet): HostedChanges {
    if (!(changes instanceof StepChangeSet)) throw new TypeError('Changes of another process');
    hosted.changes = changes;
    const { id, stateDir, savedId, targets, notes } = changes;
    const { root, tree, workspaceDir, dir } = changes.changes;
    return { id, stateDir, savedId, targets, notes, folders: { root, tree, workspaceDir, dir } };
  }
}
