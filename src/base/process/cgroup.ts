import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { statIfThere } from '../fs/stats.js';
import { sleep } from './timing.js';

const NAME = 'gemini-cli-provider-';
const FEW_TRIES = 20;
const BETWEEN_MS = 50;
const STALE_MS = 60_000;

/** Finds the folder of the cgroup (version 2) of this process. Undefined if the system has none or hides it. */
export function findOwnCgroup(): string | undefined {
  const own = /^0::(\/.*)$/m.exec(readText('/proc/self/cgroup'))?.[1];
  const mount = readText('/proc/self/mountinfo')
    .split('\n')
    .map((line) => line.split(' '))
    .find((fields) => fields[fields.indexOf('-') + 1] === 'cgroup2');
  const [root, folder] = [mount?.[3], mount?.[4]];
  if (own === undefined || root === undefined || folder === undefined) return undefined;
  // A path with `..` leads out of the cgroup namespace of a container.
  if (own.includes('..') || !own.startsWith(root)) return undefined;
  return join(folder, own.slice(root.length));
}

/** Returns the folder of the cgroup for a process tree, below the cgroup of this process. */
export function cgroupOf(parent: string, tag: string): string {
  return join(parent, `${NAME}${tag}`);
}

/** Creates a cgroup. False if this user may not do that. */
export function createCgroup(path: string): boolean {
  return attempt(() => mkdirSync(path));
}

/** Moves a process into a cgroup. Its later children are born there. */
export function addToCgroup(path: string, pid: number): boolean {
  return attempt(() => writeFileSync(join(path, 'cgroup.procs'), String(pid)));
}

/** Returns the pids in a cgroup and in the cgroups below it. */
export function readCgroupPids(path: string): number[] {
  const own = readText(join(path, 'cgroup.procs')).split('\n').filter(Boolean).map(Number);
  return [...own, ...listChildren(path).flatMap(readCgroupPids)];
}

/** Kills all processes of a cgroup at once, on Linux 5.14 and newer. No process can be born meanwhile. */
export function killCgroup(path: string): void {
  attempt(() => writeFileSync(join(path, 'cgroup.kill'), '1'));
}

/** Removes an empty cgroup, with the cgroups below it. False if a process is still in one of them. */
export function removeCgroup(path: string): boolean {
  for (const child of listChildren(path)) removeCgroup(child);
  return attempt(() => rmdirSync(path)) || !existsSync(path);
}

/**
 * Removes a cgroup whose processes are ending: a killed process stays in its cgroup for a moment, on a loaded machine for
 * seconds. False if a process is still there after the last try.
 */
export async function removeCgroupSoon(path: string, tries = FEW_TRIES): Promise<boolean> {
  for (let left = tries; left > 0; left--) {
    if (removeCgroup(path)) return true;
    await sleep(BETWEEN_MS);
  }
  return removeCgroup(path);
}

/** Removes empty cgroups that killed hosts have left below a cgroup. Young ones may belong to a process that is starting. */
export function removeStaleCgroups(parent: string): void {
  for (const path of listChildren(parent)) {
    const ageMs = Date.now() - (statIfThere(path)?.ctimeMs ?? Date.now());
    if (basename(path).startsWith(NAME) && ageMs > STALE_MS) removeCgroup(path);
  }
}

function listChildren(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? join(path, entry.name) : []));
  } catch {
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function attempt(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
