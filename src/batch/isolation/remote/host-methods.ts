import type {
  CollectOptions,
  IsolationOptions,
  KeepOptions,
  MergedState,
  MergeOutcome,
} from '../isolated-workspace.js';
import type { SavedRequest } from '../open-saved-here.js';
import type { MappedFolders } from '../path-map.js';

/** Number by which both processes name a workspace and its changes. */
export type WorkspaceKey = number;

/** Facts of an open workspace. */
export interface HostedWorkspace {
  readonly folders: MappedFolders;
  readonly notes: readonly string[];
}

/** Facts of the changes of a step. */
export interface HostedChanges {
  readonly id: string;
  readonly stateDir: string;
  readonly savedId: string | undefined;
  readonly targets: readonly string[];
  readonly notes: readonly string[];
  readonly folders: MappedFolders;
}

export interface HostedMerge {
  readonly key: WorkspaceKey;
  readonly patchFile: string;
}

/** Work of the process that isolates steps on a remote file system. Each method does what that of the interface does. */
export interface HostMethods {
  open(key: WorkspaceKey, options: Omit<IsolationOptions, 'signal'>): Promise<HostedWorkspace>;
  /** Ends the opening of a workspace, or removes a workspace that was opened meanwhile. */
  cancel(key: WorkspaceKey): Promise<void>;
  openSaved(key: WorkspaceKey, request: SavedRequest): Promise<HostedChanges | undefined>;
  collectChanges(key: WorkspaceKey, options: CollectOptions): Promise<HostedChanges>;
  saveChanges(key: WorkspaceKey, options: CollectOptions): Promise<HostedChanges>;
  removeFiles(key: WorkspaceKey): Promise<void>;
  keepWorkspacePatch(key: WorkspaceKey, options: KeepOptions): Promise<string | undefined>;
  abandon(key: WorkspaceKey, options: KeepOptions): Promise<string | undefined>;
  mergeTogether(merges: readonly HostedMerge[]): Promise<readonly HostedOutcome[]>;
  compareMerged(key: WorkspaceKey, path: string): Promise<MergedState>;
  keepMerge(key: WorkspaceKey): Promise<void>;
  keepPatch(key: WorkspaceKey, patchFile: string): Promise<string | undefined>;
  dispose(key: WorkspaceKey): Promise<void>;
}

/** Result of a call, in a form that can be sent to another process. */
export type HostAnswer<T> = { readonly value: T } | { readonly error: unknown };

export type HostedOutcome = HostAnswer<MergeOutcome>;

export interface HostCall {
  readonly method: keyof HostMethods;
  readonly args: readonly unknown[];
}
