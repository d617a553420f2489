import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ToolCall } from '../../agents/events/turn-fold.js';
import type { FileChangeKind, ManifestFile } from '../../api/manifest.js';
import type { StepWarning } from '../../api/result.js';
import { createDiff } from '../../base/fs/diff.js';
import { type FileState, sha256 } from '../../base/fs/fingerprint.js';
import { canonicalPath, isInside } from '../../base/fs/paths.js';
import type { RecordedEdit } from '../../sessions/files/read-session-evidence.js';
import { type ClaimedFile, collectClaimedFiles } from './claimed-files.js';
import { explainChange } from './explain-change.js';
import type { OriginalContents } from './original-contents.js';
import { readStateAfter } from './read-after.js';
import { relativePath } from './relative-path.js';
import {
  attributeTo,
  findUntrackedWriters,
  findUntrackedWritersAfter,
  nameWriters,
} from './untracked-writers.js';
import type { Obstacle, WorkspaceChange } from './workspace-change.js';

export interface ManifestRequest {
  readonly workingDir: string;
  /** Settings of the CLI, with the names of its context files; undefined for another agent. */
  readonly cliSettings?: { readonly contextFiles: readonly string[] } | undefined;
  readonly workspaceDirs: readonly string[];
  readonly toolCalls: readonly ToolCall[];
  readonly edits: readonly RecordedEdit[];
  readonly originalContents: OriginalContents;
  /** Changes that the comparison found; undefined if the workspace was not compared. */
  readonly changes: readonly WorkspaceChange[] | undefined;
  /**
   * True if the content is what an `expects.command` left there. A mismatch with the report of a tool is then no
   * warning.
   */
  readonly isLeftByCheck?: ((path: string) => Promise<boolean>) | undefined;
  /** Aborted when the time of the step is over: the remaining files are then listed without their hashes. */
  readonly signal?: AbortSignal | undefined;
}

export interface Manifest {
  readonly files: readonly ManifestFile[];
  readonly warnings: readonly StepWarning[];
}

/** Lists the files really touched: reports of the tools, checked on the disk, and results of the comparison. */
export async function buildManifest(request: ManifestRequest): Promise<Manifest> {
  const claims = collectClaimedFiles(request.toolCalls, request.edits, request.workingDir);
  const compared = (request.changes ?? []).filter(({ obstacle }) => obstacle === undefined);
  const found = new Map(compared.map((change) => [canonicalPath(change.path), change]));
  const files: ManifestFile[] = [];
  for (const [key, claim] of claims)
    files.push(await describeClaim(request, key, claim, found.get(key)));
  for (const [key, change] of found) {
    if (!claims.has(key)) files.push(await describeChange(request, change));
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const warnings = [...files.flatMap(warningsFor), ...describeObstacles(request.changes ?? [])];
  return { files, warnings };
}

async function describeClaim(
  request: ManifestRequest,
  key: string,
  claim: ClaimedFile,
  change: WorkspaceChange | undefined,
): Promise<ManifestFile> {
  const read = await readStateAfter(key, request.signal);
  if (!read.isRead)
    return describeUnread(request, claim, read.bytes, request.originalContents.get(key));
  const after = read.state;
  const states = [request.originalContents.get(key), change?.before, recordedState(claim, after)];
  const before = states.find((state) => state !== undefined);
  const oldContent =
    before === null ? null : (before?.content ?? claim.recordedBefore ?? undefined);
  const kind = kindOf(before, after);
  const isAsClaimed = isExpected(claim, after);
  // If a later shell command may have rewritten the file (a formatter), attribute the difference to that command
  // instead of reporting the edit as unconfirmed.
  const laterWriters = isAsClaimed
    ? []
    : findUntrackedWritersAfter(request.toolCalls, claim.toolIds.at(-1));
  const later = laterWriters.length === 0 ? { tools: [], toolIds: [] } : attributeTo(laterWriters);
  const located = locate(request, claim.absolutePath, claim.absolutePath);
  return {
    ...located,
    sensitive: explainChange(request.cliSettings, { ...located, kind }, oldContent, after),
    kind,
    tools: [...claim.tools, ...later.tools],
    toolIds: [...claim.toolIds, ...later.toolIds],
    bytes: after?.bytes ?? 0,
    sha256Before: before?.sha256,
    sha256After: after?.sha256,
    diff: diffOf(request, claim.absolutePath, kind, oldContent, after),
    confirmed:
      isAsClaimed || laterWriters.length > 0 || (await request.isLeftByCheck?.(key)) === true,
  };
}

async function describeChange(
  request: ManifestRequest,
  { path, before, writers }: WorkspaceChange,
): Promise<ManifestFile> {
  const read = await readStateAfter(path, request.signal);
  const by = writers?.length
    ? nameWriters(writers)
    : attributeTo(findUntrackedWriters(request.toolCalls));
  if (!read.isRead)
    return describeUnread(request, { absolutePath: path, ...by }, read.bytes, before);
  const after = read.state;
  const kind = kindOf(before, after);
  // A new symlink is a file at its own path: the folder that contains it decides, not its target.
  const located = locate(request, path, dirname(path));
  return {
    ...located,
    sensitive: explainChange(request.cliSettings, { ...located, kind }, before?.content, after),
    kind,
    ...by,
    bytes: after?.bytes ?? 0,
    sha256Before: before?.sha256,
    sha256After: after?.sha256,
    diff: diffOf(request, path, kind, before === null ? null : before?.content, after),
    confirmed: true,
  };
}

/** Describes a file that was not read before the time of the step was over. */
function describeUnread(
  request: ManifestRequest,
  { absolutePath, tools, toolIds }: Pick<ManifestFile, 'absolutePath' | 'tools' | 'toolIds'>,
  bytes: number,
  before: FileState | null | undefined,
): ManifestFile {
  const located = locate(request, absolutePath, absolutePath);
  const kind = before === null ? 'created' : 'modified';
  return {
    ...located,
    sensitive: explainChange(request.cliSettings, { ...located, kind }, before?.content, undefined),
    kind,
    tools,
    toolIds,
    bytes,
    sha256Before: before?.sha256,
    confirmed: false,
  };
}

function locate(
  { workingDir, workspaceDirs }: ManifestRequest,
  absolutePath: string,
  target: string,
): Pick<ManifestFile, 'path' | 'absolutePath' | 'outsideWorkspace' | 'symlinkTarget'> {
  return {
    path: relativePath(workingDir, absolutePath),
    absolutePath,
    outsideWorkspace: !workspaceDirs.some((dir) => isInside(dir, target)),
    symlinkTarget: linkTargetOf(absolutePath),
  };
}

function linkTargetOf(path: string): string | undefined {
  try {
    if (!lstatSync(path).isSymbolicLink()) return undefined;
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return undefined;
  }
}

/**
 * Returns the old state from the session file alone. The session file has `\n` for every line end, so there is a hash
 * only if the present file has no other line ends.
 */
function recordedState(
  claim: ClaimedFile,
  after: FileState | undefined,
): FileState | null | undefined {
  const { recordedBefore } = claim;
  if (recordedBefore === null || recordedBefore === undefined) return recordedBefore;
  const isExact = after?.content !== undefined && !/\r|\ufffd/.test(after.content.toString());
  if (!isExact) return undefined;
  const content = Buffer.from(recordedBefore);
  return { bytes: content.length, sha256: sha256(content), content };
}

function kindOf(
  before: FileState | null | undefined,
  after: FileState | undefined,
): FileChangeKind {
  if (before === null) return after === undefined ? 'unchanged' : 'created';
  if (after === undefined) return 'deleted';
  return before?.sha256 === after.sha256 ? 'unchanged' : 'modified';
}

function isExpected(claim: ClaimedFile, after: FileState | undefined): boolean {
  if (after === undefined) return false;
  return after.content === undefined || claim.isExpected(after.content.toString());
}

function diffOf(
  { workingDir, signal }: ManifestRequest,
  path: string,
  kind: FileChangeKind,
  before: Buffer | string | null | undefined,
  after: FileState | undefined,
): string | undefined {
  if (kind === 'unchanged' || before === undefined || signal?.aborted) return undefined;
  if (after !== undefined && after.content === undefined) return undefined;
  return createDiff(relativePath(workingDir, path), before, after?.content ?? null);
}

function warningsFor(file: ManifestFile): StepWarning[] {
  const warnings: StepWarning[] = [];
  if (!file.confirmed)
    warnings.push({ code: 'FILE_NOT_CONFIRMED', message: describeUnconfirmed(file) });
  if (file.outsideWorkspace) {
    warnings.push({
      code: 'FILE_OUTSIDE_WORKSPACE',
      message: `${file.path} is outside the workspace.`,
    });
  }
  return warnings;
}

function describeUnconfirmed({ path, tools, bytes, sha256After }: ManifestFile): string {
  if (sha256After === undefined && bytes > 0)
    return `${path} was not read: the time of the step was over.`;
  const found = sha256After === undefined ? 'no such file' : 'other content';
  return `${path}: ${tools.join(' and ')} reported success, but the disk shows ${found}.`;
}

const OBSTACLES: Readonly<Record<Obstacle, string>> = {
  name: 'Files or folders not compared because their names are not UTF-8',
  access: 'Folders not compared because they cannot be read',
};

/** Creates one warning for each reason why paths were not compared. Exported for its test. */
export function describeObstacles(changes: readonly WorkspaceChange[]): StepWarning[] {
  const obstacles: readonly Obstacle[] = ['name', 'access'];
  return obstacles.flatMap((obstacle) => {
    const count = changes.filter((change) => change.obstacle === obstacle).length;
    if (count === 0) return [];
    const message = `${OBSTACLES[obstacle]}: ${count}.`;
    return [{ code: 'WORKSPACE_NOT_COMPARED', message, count }];
  });
}
