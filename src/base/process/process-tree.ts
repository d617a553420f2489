import {
  hasEnvironmentEntry,
  type ProcessEntry,
  type ProcessIdentity,
  readProcessTable,
  readStartTime,
} from './process-table.js';
import { isTagged } from './rlimit-tag.js';

/** The variable that marks a run's processes: shell commands inherit it, whatever group they move to. */
export const PROCESS_TAG_VARIABLE = 'GEMINI_CLI_PROVIDER_RUN';

/** What tells the processes of a run from all others. */
export interface ProcessTreeSigns {
  readonly tag: string;
  readonly rootPid?: number | undefined;
}

/**
 * Finds all living processes of a run. The CLI puts every shell command into a group of its own, and a
 * command may leave its parent behind, so links to parents alone do not do: groups, sessions, the marker in the
 * environment and the mark in the limits count too. Members once found stay known after their parent is gone.
 */
export class ProcessTree {
  readonly #signs: ProcessTreeSigns;
  readonly #known = new Map<number, string>();

  /** Nothing of a run is older than its root: nearly all processes need no closer look. */
  readonly #bornAt: number;

  constructor(signs: ProcessTreeSigns) {
    this.#signs = signs;
    this.#bornAt = (signs.rootPid === undefined ? undefined : readStartTime(signs.rootPid)) ?? 0;
  }

  get rootPid(): number | undefined {
    return this.#signs.rootPid;
  }

  living(): ProcessIdentity[] {
    return this.#find((entry) => this.#bearsSign(entry));
  }

  /** Gets to know those who are there by now, from parents, groups and sessions alone. */
  look(): void {
    this.#find(() => false);
  }

  /** Those that have left the group of the root: shell commands, but not the root's own helpers. */
  strayGroups(): ProcessIdentity[] {
    const table = readProcessTable();
    const groupOf = new Map(table.map(({ pid, groupId }) => [pid, groupId]));
    return this.living().filter(({ pid }) => groupOf.get(pid) !== this.rootPid);
  }

  #find(bearsSign: (entry: ProcessEntry) => boolean): ProcessIdentity[] {
    const table = readProcessTable().filter(({ pid }) => pid !== process.pid);
    const members = this.#findMembers(table, bearsSign);
    for (const { pid, startTime } of members) this.#known.set(pid, startTime);
    return members;
  }

  #bearsSign({ pid, startTime }: ProcessEntry): boolean {
    const { tag } = this.#signs;
    if (Number(startTime) < this.#bornAt) return false;
    return hasEnvironmentEntry(pid, `${PROCESS_TAG_VARIABLE}=${tag}`) || isTagged(pid, tag);
  }

  #findMembers(
    table: readonly ProcessEntry[],
    bearsSign: (entry: ProcessEntry) => boolean,
  ): ProcessEntry[] {
    const members = new Map<number, ProcessEntry>();
    for (const entry of table) {
      const isKnown = this.#known.get(entry.pid) === entry.startTime;
      const isRoot = this.#known.size === 0 && entry.pid === this.#signs.rootPid;
      if (isKnown || isRoot || bearsSign(entry)) members.set(entry.pid, entry);
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
