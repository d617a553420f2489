import { resolve } from 'node:path';
import type { ToolCall } from '../../agents/events/turn-fold.js';
import { toolCategory } from '../../agents/gemini/gemini-tools.js';
import { realpathOf } from '../../base/fs/paths.js';
import type { RecordedEdit } from '../../sessions/files/read-session-evidence.js';

/** Changes of one file as the tools reported them. */
export interface ClaimedFile {
  /** Absolute path by the name that the tool used; symlinks are not resolved. */
  readonly absolutePath: string;
  readonly tools: string[];
  readonly toolIds: string[];
  /** Content before the first change, from the session file, where all line ends are `\n`. */
  readonly recordedBefore: string | null | undefined;
  /** True if this is the content that the last call reported. */
  isExpected: (content: string) => boolean;
}

/** Collects the claims by real path: two names of one file are one claim. */
export function collectClaimedFiles(
  calls: readonly ToolCall[],
  recordedEdits: readonly RecordedEdit[],
  workingDir: string,
): Map<string, ClaimedFile> {
  const claims = new Map<string, ClaimedFile>();
  const edits = recordedEdits.map((edit) => ({ ...edit, path: resolve(workingDir, edit.path) }));
  const editOf = new Map(edits.map((edit) => [edit.toolId, edit]));
  const writes = calls.filter(
    ({ name, outcome }) => outcome === 'completed' && toolCategory(name) === 'file-write',
  );
  for (const call of writes) {
    const named = call.input['file_path'];
    const edit = editOf.get(call.id);
    if (typeof named === 'string') addClaim(claims, call, resolve(workingDir, named), edit);
    else if (edit !== undefined) addClaim(claims, call, edit.path, edit);
  }
  // Add edits that the stream did not show: those of sub-agents, and calls whose result came after its end.
  const seen = new Set(writes.map(({ id }) => id));
  for (const edit of edits) {
    if (!seen.has(edit.toolId)) addClaim(claims, callOf(edit), edit.path, edit);
  }
  return claims;
}

function callOf({ tool, toolId }: RecordedEdit): ToolCall {
  return { id: toolId, name: tool, input: {}, outcome: 'completed' };
}

function addClaim(
  claims: Map<string, ClaimedFile>,
  call: ToolCall,
  named: string,
  edit: RecordedEdit | undefined,
): void {
  // A hook may redirect the call to another file. The session file has the real one.
  const isElsewhere = edit !== undefined && realpathOf(edit.path) !== realpathOf(named);
  const absolutePath = isElsewhere ? edit.path : named;
  const key = realpathOf(absolutePath);
  const claim = claims.get(key);
  const isExpected = expectationOf(call, edit);
  if (claim === undefined) {
    claims.set(key, {
      absolutePath,
      tools: [call.name],
      toolIds: [call.id],
      recordedBefore: edit && (edit.before ?? null),
      isExpected,
    });
    return;
  }
  if (!claim.tools.includes(call.name)) claim.tools.push(call.name);
  claim.toolIds.push(call.id);
  claim.isExpected = isExpected;
}

/** Ignores the kind of line ends, because the CLI keeps those of the file. */
function expectationOf(call: ToolCall, edit: RecordedEdit | undefined): ClaimedFile['isExpected'] {
  const written = edit?.after ?? call.input['content'];
  if (typeof written === 'string') {
    const expected = withPlainLineEnds(written);
    return (content) => withPlainLineEnds(content) === expected;
  }
  const inserted = call.input['new_string'];
  if (typeof inserted !== 'string') return () => true;
  return (content) => withPlainLineEnds(content).includes(withPlainLineEnds(inserted));
}

function withPlainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
