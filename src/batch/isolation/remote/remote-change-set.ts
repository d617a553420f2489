import type { ChangeSet, MergedState, MergeOutcome } from '../isolated-workspace.js';
import { createPathMap } from '../path-map.js';
import { dropSaved } from '../saved-changes.js';
import { fromAnswer } from './answer-call.js';
import type { HostedChanges, HostedOutcome, HostMethods, WorkspaceKey } from './host-methods.js';

/** Process that has the changes of steps on a remote file system. */
export interface ChangesHost {
  call<M extends keyof HostMethods>(
    method: M,
    ...args: Parameters<HostMethods[M]>
  ): Promise<Awaited<ReturnType<HostMethods[M]>>>;
  remove(key: WorkspaceKey): void;
}

/** Changes of one attempt on a remote file system: another process merges them. */
export class RemoteChangeSet implements ChangeSet {
  readonly #changes: HostedChanges;
  readonly host: ChangesHost;
  readonly key: WorkspaceKey;
  #isDisposed = false;

  constructor(host: ChangesHost, key: WorkspaceKey, changes: HostedChanges) {
    this.host = host;
    this.key = key;
    this.#changes = changes;
  }

  get id(): string {
    return this.#changes.id;
  }

  get savedId(): string | undefined {
    return this.#changes.savedId;
  }

  get targets(): readonly string[] {
    return this.#changes.targets;
  }

  get notes(): readonly string[] {
    return this.#changes.notes;
  }

  toOriginal(path: string): string {
    return createPathMap(this.#changes.folders).toOriginal(path);
  }

  async mergeBack(patchFile: string): Promise<MergeOutcome> {
    const [outcome] = await mergeRemote([{ changes: this, patchFile }]);
    if (outcome?.status === 'fulfilled') return outcome.value;
    throw outcome?.reason;
  }

  mergeLocked(patchFile: string): Promise<MergeOutcome> {
    return this.mergeBack(patchFile);
  }

  compareMerged(path: string): Promise<MergedState> {
    return this.host.call('compareMerged', this.key, path);
  }

  keepMerge(): Promise<void> {
    return this.host.call('keepMerge', this.key);
  }

  keepPatch(patchFile: string): Promise<string | undefined> {
    return this.host.call('keepPatch', this.key, patchFile);
  }

  /** Works also after `dispose`: the saved changes lie in the state folder, which this process reads and writes. */
  async drop(): Promise<void> {
    const { stateDir, savedId } = this.#changes;
    if (savedId !== undefined) dropSaved(stateDir, savedId);
  }

  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    await this.host.call('dispose', this.key).finally(() => this.host.remove(this.key));
  }
}

/** Merges changes of steps, whose paths must be disjoint, in the process that has them. */
export async function mergeRemote(
  requests: readonly { readonly changes: RemoteChangeSet; readonly patchFile: string }[],
): Promise<PromiseSettledResult<MergeOutcome>[]> {
  const hosts = new Map<ChangesHost, (typeof requests)[number][]>();
  for (const request of requests) {
    const { host } = request.changes;
    hosts.set(host, [...(hosts.get(host) ?? []), request]);
  }
  const outcomes = new Map<RemoteChangeSet, PromiseSettledResult<MergeOutcome>>();
  for (const [host, group] of hosts) {
    const merges = group.map(({ changes, patchFile }) => ({ key: changes.key, patchFile }));
    const answers: readonly HostedOutcome[] = await host.call('mergeTogether', merges);
    for (const [index, { changes }] of group.entries()) {
      const answer = answers[index];
      if (answer !== undefined) outcomes.set(changes, fromAnswer(answer));
    }
  }
  return requests.flatMap(({ changes }) => outcomes.get(changes) ?? []);
}
