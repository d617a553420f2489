import { randomUUID } from 'node:crypto';
import { execa } from 'execa';
import type { ProcessIsolation } from '../../api/process-isolation.js';
import { ProviderError } from '../errors/provider-error.js';
import {
  cgroupOf,
  createCgroup,
  findOwnCgroup,
  removeCgroupSoon,
  removeStaleCgroups,
} from './cgroup.js';
import { OWN_SESSION } from './own-session.js';
import { subreaperLauncher } from './subreaper.js';

/** Means of the system that hold a process tree together, whatever its processes do. */
export interface TreeIsolation {
  readonly means: 'cgroup' | 'namespace' | 'subreaper' | 'none';
  /** Sentence that says why these means are used. */
  readonly reason: string;
  /** Words before the command: a program that starts it inside of the isolation. */
  readonly launcher: readonly string[];
  /** Folder in which the cgroups of process trees are created. */
  readonly cgroupParent?: string | undefined;
}

const PROBE_TIMEOUT_MS = 5_000;

export const NO_ISOLATION: TreeIsolation = { means: 'none', reason: 'turned off', launcher: [] };

const resolved = new Map<ProcessIsolation, Promise<TreeIsolation>>();

/** Finds the means for an option. Each option is tried out once per process. Throws INVALID_CONFIG. */
export function resolveIsolation(wanted: ProcessIsolation): Promise<TreeIsolation> {
  const known = resolved.get(wanted) ?? tryIsolation(wanted);
  resolved.set(wanted, known);
  return known;
}

/** Tries out the means for an option. Exported for its test. */
export async function tryIsolation(wanted: ProcessIsolation): Promise<TreeIsolation> {
  switch (wanted) {
    case 'off':
      return NO_ISOLATION;
    case 'cgroup':
      return (await tryCgroup()) ?? refuse(wanted, 'This user may not create cgroups (version 2).');
    case 'namespace':
      return (await tryNamespace()) ?? refuse(wanted, '`unshare` may not create a PID namespace.');
    case 'subreaper':
      return (
        (await trySubreaper('perl is installed')) ??
        refuse(wanted, '`perl` is missing, or this is not Linux.')
      );
    case 'auto':
      return (await tryCgroup()) ?? (await trySubreaper(NO_CGROUP)) ?? NOTHING_FOUND;
  }
}

const NO_CGROUP = 'no writable cgroup (version 2) was found';
const NOTHING_FOUND: TreeIsolation = {
  means: 'none',
  reason: 'neither a writable cgroup (version 2) nor perl was found',
  launcher: [],
};

function refuse(wanted: ProcessIsolation, why: string): never {
  throw new ProviderError({
    code: 'INVALID_CONFIG',
    message: `The option processIsolation: '${wanted}' is not possible here. ${why}`,
    hint: "Use processIsolation: 'auto'. `gemini-cli-provider doctor` shows what this machine offers.",
  });
}

/** Creates a cgroup and moves a process into it, because permissions of the files alone do not tell. */
async function tryCgroup(): Promise<TreeIsolation | undefined> {
  const parent = process.platform === 'linux' ? findOwnCgroup() : undefined;
  if (parent === undefined) return undefined;
  const path = cgroupOf(parent, randomUUID());
  if (!createCgroup(path)) return undefined;
  const isUsable = await succeeds(['/bin/sh', '-c', 'echo $$ > "$0/cgroup.procs"', path]);
  await removeCgroupSoon(path);
  removeStaleCgroups(parent);
  if (!isUsable) return undefined;
  return { means: 'cgroup', reason: `${parent} is writable`, launcher: [], cgroupParent: parent };
}

async function tryNamespace(): Promise<TreeIsolation | undefined> {
  if (process.platform !== 'linux') return undefined;
  const shared = ['--pid', '--fork', '--kill-child', '--mount-proc'];
  const privileged = ['unshare', ...shared];
  const unprivileged = ['unshare', '--user', '--map-current-user', ...shared];
  for (const launcher of [privileged, unprivileged]) {
    const reason = launcher === privileged ? 'as root' : 'with a user namespace';
    if (await succeeds([...launcher, 'true'])) return { means: 'namespace', reason, launcher };
  }
  return undefined;
}

async function trySubreaper(reason: string): Promise<TreeIsolation | undefined> {
  const launcher = subreaperLauncher();
  if (launcher === undefined || !(await succeeds([...launcher, 'true']))) return undefined;
  return { means: 'subreaper', reason, launcher };
}

async function succeeds([command = '', ...args]: readonly string[]): Promise<boolean> {
  const { failed } = await execa(command, args, {
    ...OWN_SESSION,
    stdio: 'ignore',
    timeout: PROBE_TIMEOUT_MS,
  });
  return !failed;
}
