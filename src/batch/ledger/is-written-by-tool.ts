import type { ManifestFile } from '../../api/manifest.js';
import { UNKNOWN_WRITER } from '../../base/fs/unknown-writer.js';

/** True if a tool call of the step wrote the file, or a command of the step may have. */
export function isWrittenByTool({ tools }: Pick<ManifestFile, 'tools'>): boolean {
  return tools.some((tool) => tool !== UNKNOWN_WRITER);
}
