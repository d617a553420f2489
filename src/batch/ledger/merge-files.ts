import type { FileChangeKind, ManifestFile } from '../../api/manifest.js';

/**
 * Merges the manifests of consecutive attempts or steps into one, from before the first to after the last. A file that
 * was created and deleted again is left out.
 */
export function mergeFiles(manifests: readonly (readonly ManifestFile[])[]): ManifestFile[] {
  const merged = new Map<string, ManifestFile>();
  for (const file of manifests.flat()) {
    const earlier = merged.get(file.absolutePath);
    merged.set(file.absolutePath, earlier === undefined ? file : mergeFile(earlier, file));
  }
  return [...merged.values()].filter(isChange);
}

/** True if the file did not exist before: the attempts or steps created it, and may have deleted it again. */
export function wasNothing({ kind, sha256Before }: ManifestFile): boolean {
  return kind === 'created' || (kind === 'deleted' && sha256Before === undefined);
}

function isChange({ kind, sha256Before, sha256After }: ManifestFile): boolean {
  return kind !== 'deleted' || sha256Before !== undefined || sha256After !== undefined;
}

function mergeFile(earlier: ManifestFile, later: ManifestFile): ManifestFile {
  const isNew = wasNothing(earlier);
  const sha256Before = isNew ? undefined : earlier.sha256Before;
  const { sha256After } = later;
  const kind = kindOf(isNew, later.kind, sha256Before, sha256After);
  // Keeps a diff only if the other change left the file as it was: two consecutive diffs are not one diff.
  const isOnlyLater = earlier.kind === 'unchanged';
  const isOnlyEarlier = later.kind === 'unchanged';
  const diff = isOnlyLater ? later.diff : isOnlyEarlier ? earlier.diff : undefined;
  const { diff: _, sha256Before: __, ...rest } = later;
  return {
    ...rest,
    kind,
    tools: [...new Set([...earlier.tools, ...later.tools])],
    toolIds: [...new Set([...earlier.toolIds, ...later.toolIds])],
    confirmed: later.confirmed,
    ...(sha256Before === undefined ? {} : { sha256Before }),
    ...(diff === undefined ? {} : { diff }),
  };
}

function kindOf(
  isNew: boolean,
  later: FileChangeKind,
  before: string | undefined,
  after: string | undefined,
): FileChangeKind {
  if (later === 'deleted') return 'deleted';
  if (isNew) return 'created';
  return before !== undefined && before === after ? 'unchanged' : 'modified';
}
