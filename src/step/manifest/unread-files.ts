import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { ToolCall } from '../../agents/events/turn-fold.js';
import { toolCategory } from '../../agents/gemini/gemini-tools.js';
import type { ManifestFile } from '../../api/manifest.js';
import { toSlashes } from '../../base/fs/paths.js';

/** Lists the files that tools have reported, without a look at the disk: the file system does not answer. */
export function listUnreadFiles(
  calls: readonly ToolCall[],
  { workingDir, workspaceDirs }: { workingDir: string; workspaceDirs: readonly string[] },
): ManifestFile[] {
  const files = new Map<string, ManifestFile>();
  for (const { id, name, input, outcome } of calls) {
    const named = input['file_path'];
    if (outcome === 'failed' || toolCategory(name) !== 'file-write') continue;
    if (typeof named !== 'string') continue;
    const absolutePath = resolve(workingDir, named);
    const known = files.get(absolutePath);
    files.set(absolutePath, {
      path: toSlashes(relative(workingDir, absolutePath)),
      absolutePath,
      kind: 'modified',
      tools: [...new Set([...(known?.tools ?? []), name])],
      toolIds: [...(known?.toolIds ?? []), id],
      bytes: 0,
      confirmed: false,
      outsideWorkspace: !workspaceDirs.some((dir) => isBelow(dir, absolutePath)),
    });
  }
  return [...files.values()];
}

function isBelow(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
