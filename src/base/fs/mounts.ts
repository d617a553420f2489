import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';

interface Mount {
  readonly path: string;
  readonly type: string;
}

/** Linux lists its mounts here. Reading the list touches none of them, so that a dead mount cannot block it. */
const MOUNT_LIST = '/proc/self/mountinfo';
/** Types of file systems whose server may be gone. A call on them then waits in the kernel, without end. */
const REMOTE =
  /^(?:nfs\d?|cifs|smb\d?|smbfs|9p|afs|ceph|coda|lustre|glusterfs|gfs2|ocfs2|orangefs|beegfs|gpfs|virtiofs|autofs|fuse(?:\.\w.*)?|fuseblk)$/;
/** Types whose files are no files of a disk: some have no end, some answer only when an event happens. */
const SYNTHETIC =
  /^(?:proc|sysfs|devpts|devtmpfs|debugfs|tracefs|securityfs|cgroup2?|configfs|pstore|bpf|efivarfs|binfmt_misc|fusectl|mqueue|rpc_pipefs|selinuxfs)$/;
const MOST_LINKS = 40;

/** Lists mounts of remote file systems that a folder lies on, or that lie in it. Empty on other systems than Linux. */
export function findRemoteMounts(folders: readonly string[], mountList = MOUNT_LIST): string[] {
  const remote = readMounts(REMOTE, mountList);
  if (remote.length === 0) return [];
  const found = folders.flatMap((folder) => {
    const { path, isStopped } = resolveUpTo(remote, folder);
    if (isStopped) return [path];
    return remote.filter((mount) => mount.startsWith(withSeparator(path)));
  });
  return [...new Set(found)];
}

/** Lists mounts below a folder whose files are not on a disk: `/proc`, `/sys` and the like. */
export function findSyntheticMounts(folder: string, mountList = MOUNT_LIST): ReadonlySet<string> {
  const below = withSeparator(resolve(folder));
  return new Set(readMounts(SYNTHETIC, mountList).filter((mount) => mount.startsWith(below)));
}

/** Follows the links of a path, folder by folder, and stops at the first remote mount without touching it. */
function resolveUpTo(
  remote: readonly string[],
  folder: string,
): { readonly path: string; readonly isStopped: boolean } {
  let rest = resolve(folder);
  for (let links = 0; links < MOST_LINKS; links++) {
    const link = findLink(remote, rest);
    if (link === undefined) return { path: rest, isStopped: false };
    if (link.target === undefined) return { path: link.path, isStopped: true };
    rest = join(resolve(dirname(link.path), link.target), rest.slice(link.path.length));
  }
  return { path: rest, isStopped: false };
}

/** Finds the first part of a path that is a link, or a remote mount, which has no target. */
function findLink(
  remote: readonly string[],
  path: string,
): { readonly path: string; readonly target: string | undefined } | undefined {
  const { root } = parse(path);
  let at = root;
  if (remote.includes(at)) return { path: at, target: undefined };
  for (const name of path.slice(root.length).split(sep)) {
    at = join(at, name);
    if (remote.includes(at)) return { path: at, target: undefined };
    try {
      if (lstatSync(at).isSymbolicLink()) return { path: at, target: readlinkSync(at) };
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function withSeparator(path: string): string {
  return path.endsWith(sep) ? path : path + sep;
}

function readMounts(types: RegExp, mountList: string): string[] {
  if (process.platform !== 'linux') return [];
  try {
    return parseLatest(readFileSync(mountList, 'utf8'))
      .filter(({ type }) => types.test(type))
      .map(({ path }) => path);
  } catch {
    return [];
  }
}

let latest: { readonly text: string; readonly mounts: readonly Mount[] } | undefined;

/** Parses a list of mounts, unless it is the same as at the last call: each step asks, and mounts change seldom. */
function parseLatest(text: string): readonly Mount[] {
  if (latest?.text !== text) latest = { text, mounts: parseMounts(text) };
  return latest.mounts;
}

/** Reads lines `id parent major:minor root path options [fields] - type source options`; `\040` is a blank. */
function parseMounts(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const path = before.split(' ')[4];
    const type = after.split(' ')[0];
    if (path === undefined || type === undefined || type === '') return [];
    const readable = path.replace(/\\(\d{3})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 8)),
    );
    return [{ path: readable, type }];
  });
}
