import type { FileChangeKind, ManifestFile } from '../../api/manifest.js';

/**
 * Combines the manifests of several attempts or steps, one after another: from before the first to after the last.
 * Files that are as if nothing had happened are left out.
 */
export function mergeFiles(manifests: readonly (readonly ManifestFile[])[]): ManifestFile[] {
  const merged = new Map<string, ManifestFile>();
  for (const file of manifests.flat()) {
    const earlier = merged.get(file.absolutePath);
    merged.set(file.absolutePath, earlier === undefined ? file : follow(earlier, file));
  }
  return [...merged.values()].filter(wasTouched);
}

/** Before: created by one of these attempts or steps, and perhaps removed again. */
export function wasNothing({ kind, sha256Before }: ManifestFile): boolean {
  return kind === 'created' || (kind === 'deleted' && sha256Before === undefined);
}

function wasTouched({ kind, sha256Before, sha256After }: ManifestFile): boolean {
  return kind !== 'deleted' || sha256Before !== undefined || sha256After !== undefined;
}

function follow(earlier: ManifestFile, later: ManifestFile): ManifestFile {
  const isNew = wasNothing(earlier);
  const sha256Before = isNew ? undefined : earlier.sha256Before;
  const { sha256After } = later;
  const kind = kindOf(isNew, later.kind, sha256Before, sha256After);
  // Two diffs one after another are no diff of the whole.
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
