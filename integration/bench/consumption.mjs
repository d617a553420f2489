import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const KIB_PER_MB = 1024;
const SAMPLE_MS = 100;

/** Returns the CPU seconds of all child processes that have ended. Linux only. */
export function cpuOfChildren() {
  return readCpu('self').ended;
}

/**
 * Returns the CPU seconds of a process, and those of its child processes that have ended. Linux only.
 * @param {number | 'self'} pid
 */
export function readCpu(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const sum = (/** @type {number} */ first) =>
    (Number(fields[first]) + Number(fields[first + 1])) / TICKS_PER_SECOND;
  return { own: sum(11), ended: sum(13) };
}

/**
 * Returns the resident memory of a process in MB. Linux only.
 * @param {number} pid
 */
export function memoryOf(pid) {
  const found = read(String(pid));
  if (found === undefined) throw new Error(`There is no process ${pid}`);
  return found.memoryMb;
}

/**
 * True if a live process has this entry in its environment. Linux only.
 * @param {string} entry
 */
export function hasProcessWith(entry) {
  return readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'latin1').includes(entry);
    } catch {
      return false;
    }
  });
}

/** Watches the memory of all descendants of this process. `stop` returns the largest sum in MB. */
export function watchMemory() {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryBelow(process.pid));
  }, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

/**
 * Returns the memory of all descendants of a process in MB, without the process itself.
 * @param {number} root
 */
export function memoryBelow(root) {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => read(pid) ?? []);
  const members = new Set([root]);
  for (let before = 0; before !== members.size; ) {
    before = members.size;
    for (const { pid, parent } of processes) if (members.has(parent)) members.add(pid);
  }
  members.delete(root);
  return processes
    .filter(({ pid }) => members.has(pid))
    .reduce((sum, { memoryMb }) => sum + memoryMb, 0);
}

/**
 * @param {string} pid
 */
function read(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const field = (/** @type {RegExp} */ pattern) => Number(pattern.exec(status)?.[1] ?? 0);
    return {
      pid: Number(pid),
      parent: field(/^PPid:\s+(\d+)/m),
      memoryMb: field(/^VmRSS:\s+(\d+)/m) / KIB_PER_MB,
    };
  } catch {
    return undefined;
  }
}
