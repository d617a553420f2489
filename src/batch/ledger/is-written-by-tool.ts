import type { ManifestFile } from '../../api/manifest.js';

/** Stands in a manifest where a file has changed, and no call of the run is known to have done it. */
const NOBODY = 'unknown';

/** Whether a call of the run has written the file, or a command of it may have. */
export function isWrittenByTool({ tools }: Pick<ManifestFile, 'tools'>): boolean {
  return tools.some((tool) => tool !== NOBODY);
}
