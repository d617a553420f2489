import { copyFile } from 'node:fs/promises';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { PrivateDirectory } from '../../base/process/private-directory.js';
import { sleepUnless } from '../../base/process/timing.js';
import { chooseById } from '../../sessions/files/find-session-by-id.js';
import type { FoundSession } from '../../sessions/files/found-session.js';
import { readSession } from '../../sessions/files/read-session.js';
import {
  chooseByNumber,
  isNumber,
  numberedSessions,
} from '../../sessions/list/numbered-sessions.js';
import type { ResolvedStep } from '../resolve-step.js';

const MINUTE_MS = 60_000;

export interface ResumedSession {
  readonly sessionId: string;
  /** Makes sure that loading it has not cost its content. */
  check(): Promise<void>;
}

/**
 * Prepares an earlier session for `session/load`. CLI 0.61 destroys a session that it loads in the same UTC
 * minute in which it was made, so that minute is waited for, and the file is kept in case it does so anyway.
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
      await copyFile(backup, file);
      throw new ProviderError({
        code: 'INVALID_INPUT',
        message: `The CLI could not load session ${sessionId}, and would have lost it`,
        hint: 'Its file has been put back as it was. Resume it with transport: "headless".',
        sessionId,
      });
    },
  };
}

/** Remarks of the CLI and words of hooks are left out when it loads a session; answers are not. */
async function countAnswers(file: string): Promise<number> {
  const { messages } = await readSession(file);
  return messages.filter(({ type }) => type === 'gemini').length;
}

function findSession(
  { workingDir }: ResolvedStep,
  geminiHome: string,
  resume: string,
): FoundSession {
  const sessions = numberedSessions({ geminiHome, projectDir: workingDir });
  const session = (isNumber(resume) ? chooseByNumber : chooseById)(sessions, resume);
  if (session !== undefined) return session;
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `There is no session ${resume} of ${workingDir} (of ${sessions.length})`,
    hint: 'Give the `sessionId` of an earlier result, its number, or "latest".',
  });
}

/** Exported for its test. */
export function msUntilSafe(startTime: string | undefined, nowMs: number): number {
  const startedMs = Date.parse(startTime ?? '');
  if (Number.isNaN(startedMs)) return 0;
  const nextMinuteMs = (Math.floor(startedMs / MINUTE_MS) + 1) * MINUTE_MS;
  return Math.max(0, nextMinuteMs - nowMs);
}
