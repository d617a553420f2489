import { copyFile, readFile, stat } from 'node:fs/promises';
import { ProviderError } from '../../base/errors/provider-error.js';
import { writeAtomically } from '../../base/fs/write-atomically.js';
import type { PrivateDirectory } from '../../base/process/private-directory.js';
import { sleepUnless } from '../../base/process/timing.js';
import { chooseById } from '../../sessions/files/find-session-by-id.js';
import type { FoundSession } from '../../sessions/files/found-session.js';
import { textsOf } from '../../sessions/files/message-text.js';
import { readSession } from '../../sessions/files/read-session.js';
import {
  chooseByNumber,
  isNumber,
  readNumberedSessions,
} from '../../sessions/list/numbered-sessions.js';
import type { ResolvedStep } from '../resolve-step.js';

const MINUTE_MS = 60_000;

export interface ResumedSession {
  readonly sessionId: string;
  /** Restores the session file and throws if loading the session removed its content. */
  check(): Promise<void>;
}

/**
 * Prepares an earlier session for `session/load`. CLI 0.61 destroys a session that it loads in the same UTC minute in
 * which the session was created. The function waits until that minute is over, and keeps a copy of the session file
 * in case the CLI destroys it anyway.
 */
export async function beginResume(
  resolved: ResolvedStep,
  directory: Pick<PrivateDirectory, 'file'>,
  signal: AbortSignal,
): Promise<ResumedSession | undefined> {
  const { resume } = resolved.config;
  if (resume === undefined) return undefined;
  if (resolved.geminiHome === undefined) return { sessionId: resume, check: async () => {} };
  const { path: file, summary } = findSession(resolved, resolved.geminiHome, resume);
  const { sessionId, startTime } = summary.header;
  await sleepUnless(msUntilSafe(startTime, Date.now()), signal);
  const before = await countAnswers(file);
  const backup = directory.file('session-before.jsonl');
  await copyFile(file, backup);
  return {
    sessionId,
    check: async () => {
      if ((await countAnswers(file)) >= before) return;
      await writeAtomically(file, await readFile(backup), 0o600, await stat(file));
      throw new ProviderError({
        code: 'INVALID_INPUT',
        message: `The CLI could not load session ${sessionId} and removed its messages`,
        hint: 'The session file was restored. Resume the session with `transport: "headless"`.',
        sessionId,
      });
    },
  };
}

/**
 * Counts the answers of the model that have a text or tool calls. When the CLI loads a session, it drops its own
 * remarks, output of hooks, and the empty record before the record of a tool call, but no other answer.
 */
async function countAnswers(file: string): Promise<number> {
  const { messages } = await readSession(file);
  return messages.filter(({ type, content, toolCalls = [] }) => {
    const hasText = textsOf(content).join('').trim() !== '';
    return type === 'gemini' && (hasText || toolCalls.length > 0);
  }).length;
}

function findSession(
  { workingDir }: ResolvedStep,
  geminiHome: string,
  resume: string,
): FoundSession {
  const sessions = readNumberedSessions({ geminiHome, projectDir: workingDir });
  const session = (isNumber(resume) ? chooseByNumber : chooseById)(sessions, resume);
  if (session !== undefined) return session;
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `There is no session ${resume} of ${workingDir} (sessions found: ${sessions.length})`,
    hint: 'Give the `sessionId` of an earlier result, its number, or "latest".',
  });
}

/** Returns the time until the UTC minute of the start is over. Exported for its test. */
export function msUntilSafe(startTime: string | undefined, nowMs: number): number {
  const startedMs = Date.parse(startTime ?? '');
  if (Number.isNaN(startedMs)) return 0;
  const nextMinuteMs = (Math.floor(startedMs / MINUTE_MS) + 1) * MINUTE_MS;
  // A clock that was set back must not prolong the wait.
  return Math.min(MINUTE_MS, Math.max(0, nextMinuteMs - nowMs));
}
