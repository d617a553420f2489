import {
  addToCgroup,
  cgroupOf,
  createCgroup,
  killCgroup,
  removeCgroup,
  removeCgroupSoon,
} from './cgroup.js';
import type { TreeIsolation } from './isolation.js';
import { type KillableTree, killProcessTree } from './kill-process-tree.js';
import { type ProcessIdentity, readProcessTable } from './process-table.js';
import { ProcessTree } from './process-tree.js';
import { forgetProcesses, forgetWhenRemoved, watchProcesses } from './reaper.js';
import { tagProcess } from './rlimit-tag.js';

/** Number of trees so far. The turns of a step have one tag, and the cgroup of the last turn may not be removed yet. */
let count = 0;

/**
 * Process tree of one start of a program, from before the start until everything has ended. The reaper knows the tree all
 * the time: a host that is killed at any moment leaves nothing.
 */
export class WatchedTree implements KillableTree {
  /** Words before the command that starts the tree. */
  readonly launcher: readonly string[];
  readonly #tag: string;
  readonly #cgroup: string | undefined;
  readonly #hasSubreaper: boolean;
  #tree: ProcessTree;
  #isTagged: Promise<boolean> = Promise.resolve(false);
  #agentPid: number | undefined;

  constructor(tag: string, { means, launcher, cgroupParent }: TreeIsolation) {
    this.#tag = tag;
    this.launcher = launcher;
    this.#hasSubreaper = means === 'subreaper';
    const cgroup =
      cgroupParent === undefined ? undefined : cgroupOf(cgroupParent, `${tag}-${count++}`);
    // Register the tree before the start: until the pid is known, the reaper finds it by its tag and its cgroup.
    watchProcesses(tag, undefined, { cgroup });
    this.#cgroup = cgroup !== undefined && createCgroup(cgroup) ? cgroup : undefined;
    this.#tree = new ProcessTree({ tag, cgroup: this.#cgroup });
  }

  /** Folder of the cgroup, for a launcher that enters it by itself. */
  get cgroup(): string | undefined {
    return this.#cgroup;
  }

  get rootPid(): number | undefined {
    return this.#tree.rootPid;
  }

  /** True if the processes are found without polls while they work. */
  get isHeld(): Promise<boolean> {
    return this.#isTagged;
  }

  /** Notes the pid of the started program. */
  started(pid: number | undefined): void {
    const more = { cgroup: this.#cgroup, launcherPid: this.#hasSubreaper ? pid : undefined };
    watchProcesses(this.#tag, pid, more);
    this.#tree = new ProcessTree({ tag: this.#tag, rootPid: pid, ...more });
    if (pid !== undefined && this.#cgroup !== undefined) addToCgroup(this.#cgroup, pid);
    // A launcher has started its program before it could be tagged.
    if (this.launcher.length === 0) this.#isTagged = tagProcess(pid, this.#tag);
  }

  /** Pid of the program itself: the oldest child of the launcher if there is one. */
  get agentPid(): number | undefined {
    if (this.launcher.length === 0) return this.rootPid;
    this.#agentPid ??= readProcessTable()
      .filter(({ parentPid }) => parentPid === this.rootPid)
      .sort((one, other) => Number(one.startTime) - Number(other.startTime))[0]?.pid;
    return this.#agentPid;
  }

  living(): ProcessIdentity[] {
    return this.#tree.living();
  }

  /** Returns the living processes besides the launcher. */
  left(): ProcessIdentity[] {
    return this.living().filter(({ pid }) => !this.#hasSubreaper || pid !== this.rootPid);
  }

  refresh(): void {
    this.#tree.refresh();
  }

  strayGroups(): ProcessIdentity[] {
    return this.#tree.strayGroups();
  }

  killAtOnce(): void {
    if (this.#cgroup !== undefined) killCgroup(this.#cgroup);
  }

  /** Ends all processes. Returns the pids that are still alive. */
  kill(): Promise<number[]> {
    return killProcessTree(this);
  }

  /** Takes the tree from the reaper, because all its processes have ended. A cgroup is removed first. */
  forget(): void {
    if (this.#cgroup === undefined || removeCgroup(this.#cgroup)) forgetProcesses(this.#tag);
    else forgetWhenRemoved(this.#tag, removeCgroupSoon(this.#cgroup));
  }
}
