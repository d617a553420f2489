import type { ToolCall } from '../../../src/agents/events/turn-fold.js';
import {
  buildManifest,
  type Manifest,
  type ManifestRequest,
} from '../../../src/step/manifest/build-manifest.js';
import { OriginalContents } from '../../../src/step/manifest/original-contents.js';

/** Builds the manifest of a folder, which is working directory and workspace. Nothing has happened unless requested. */
export function buildInFolder(
  folder: string,
  request: Partial<ManifestRequest>,
): Promise<Manifest> {
  return buildManifest({
    workingDir: folder,
    workspaceDirs: [folder],
    toolCalls: [],
    edits: [],
    originalContents: new OriginalContents(folder, { sinceMs: Date.now() }),
    changes: undefined,
    ...request,
  });
}

/** Returns a completed call of `write_file`. */
export function writeCall(id: string, path: string, content: string): ToolCall {
  return { id, name: 'write_file', input: { file_path: path, content }, outcome: 'completed' };
}
