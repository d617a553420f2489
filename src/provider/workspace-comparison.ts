import type { ResolvedConfig } from '../config/resolve-config.js';
import { featuresOf } from '../headless/cli-features.js';
import { takeSnapshot } from '../manifest/snapshot.js';
import type { WorkspaceSnapshot } from '../manifest/workspace-change.js';
import { canWriteUnseen } from '../tools/gemini-tools.js';
import type { Stage } from './stage.js';

/** Compares the workspace where files may be written that no event tells of. */
export async function snapshotIfNeeded(stage: Stage): Promise<WorkspaceSnapshot | undefined> {
  const { config } = stage;
  const showsTools = featuresOf(stage.cli.version).streamJson;
  if (config.workspaceScan === 'off') return undefined;
  if (config.workspaceScan === 'auto' && showsTools && !mayWriteUnseen(config)) return undefined;
  return takeSnapshot({
    workspaceDirs: stage.workspaceDirs,
    excludedDirs: [stage.geminiHome],
    mayAskGit: config.sandbox === false,
  });
}

/** Sub-agents are not counted: the session file shows what they write. */
function mayWriteUnseen({ approvalMode, allowedTools, extraArgs }: ResolvedConfig): boolean {
  if (approvalMode === 'yolo') return true;
  if (allowedTools.some(({ tool }) => canWriteUnseen(tool))) return true;
  return extraArgs.some((arg) => /^--(admin-)?policy\b/.test(arg));
}
