import { readCgroupPids } from './cgroup.js';
import {
  hasEnvironmentEntry,
  type ProcessEntry,
  type ProcessIdentity,
  readProcessTable,
  readStartTime,
} from './process-table.js';
import { isTagged } from './rlimit-tag.js';

/** Environment variable with the tag of a process tree. Shell commands inherit it, even in another process group. */
export const PROCESS_TAG_VARIABLE = 'GEMINI_CLI_PROVIDER_TAG';

/** Signs by which the processes of a tree are found. */
export interface ProcessTreeSigns {
  readonly tag: string;
  readonly rootPid?: number | undefined;
  /** Start time of the root. Without it, the root is looked up when the tree is created. */
  readonly rootStartTime?: number | undefined;
  /** Folder of the cgroup in which the processes were born. */
  readonly cgroup?: string | undefined;
  /** Pid of a launcher that ends by itself after the last process below it, and holds the tree together until then. */
  readonly launcherPid?: number | undefined;
}

/**
 * Finds all living processes of a tree. Parent pids alone are not enough: the CLI puts every shell command into a
 * process group of its own, and a command may outlive its parent. Process groups, sessions, the tag in the environment
 * and the tag in the resource limits count too. Members once found stay known after their parent has ended.
 */
export class ProcessTree {
  readonly #signs: ProcessTreeSigns;
  readonly #known = new Map<number, string>();

  /** Start time of the root. Older processes cannot be members, so their environment is not read. */
  readonly #rootStartTime: number | undefined;

  constructor(signs: ProcessTreeSigns) {
    this.#signs = signs;
    this.#rootStartTime =
      signs.rootStartTime ??
      (signs.rootPid === undefined ? undefined : readStartTime(signs.rootPid));
  }

  get rootPid(): number | undefined {
    return this.#signs.rootPid;
  }

  /** Returns all living members. A launcher is the last one: it would lose the others if it ended before them. */
  living(): ProcessIdentity[] {
    const members = this.#find((entry) => this.#isTagged(entry));
    const others = members.filter(({ pid }) => pid !== this.#signs.launcherPid);
    return others.length > 0 ? others : members;
  }

  /** Remembers the present members, found by parent, group and session alone, which is cheap. */
  refresh(): void {
    this.#find(() => false);
  }

  /** Returns the members outside the process group of the root: shell commands, but not helpers of the root. */
  strayGroups(): ProcessIdentity[] {
    const table = readProcessTable();
    const groupOf = new Map(table.map(({ pid, groupId }) => [pid, groupId]));
    return this.living().filter(({ pid }) => groupOf.get(pid) !== this.rootPid);
  }

  #find(isMember: (entry: ProcessEntry) => boolean): ProcessIdentity[] {
    const table = readProcessTable().filter(({ pid }) => pid !== process.pid);
    const { cgroup } = this.#signs;
    const inCgroup = new Set(cgroup === undefined ? [] : readCgroupPids(cgroup));
    const members = this.#findMembers(table, (entry) => inCgroup.has(entry.pid) || isMember(entry));
    for (const { pid, startTime } of members) this.#known.set(pid, startTime);
    return members;
  }

  #isTagged({ pid, startTime }: ProcessEntry): boolean {
    const { tag } = this.#signs;
    if (Number(startTime) < (this.#rootStartTime ?? 0)) return false;
    return hasEnvironmentEntry(pid, `${PROCESS_TAG_VARIABLE}=${tag}`) || isTagged(pid, tag);
  }

  /** True for the root. A later process with the same pid has another start time. */
  #isRoot({ pid, startTime }: ProcessEntry): boolean {
    if (this.#known.size > 0 || pid !== this.#signs.rootPid) return false;
    return this.#rootStartTime === undefined || this.#rootStartTime === Number(startTime);
  }

  #findMembers(
    table: readonly ProcessEntry[],
    isMember: (entry: ProcessEntry) => boolean,
  ): ProcessEntry[] {
    const members = new Map<number, ProcessEntry>();
    for (const entry of table) {
      const isKnown = this.#known.get(entry.pid) === entry.startTime;
      if (isKnown || this.#isRoot(entry) || isMember(entry)) members.set(entry.pid, entry);
    }
    for (let before = -1; before !== members.size; ) {
      before = members.size;
      for (const entry of table) {
        if (isRelated(entry, members)) members.set(entry.pid, entry);
      }
    }
    return [...members.values()];
  }
}

function isRelated(entry: ProcessEntry, members: ReadonlyMap<number, ProcessEntry>): boolean {
  if (members.has(entry.pid)) return true;
  const { parentPid, groupId, sessionId } = entry;
  return members.has(parentPid) || members.has(groupId) || members.has(sessionId);
}
