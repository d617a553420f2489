import type { ResolvedStep } from '../agents/resolve-step.js';
import type { SessionMessage } from '../api/session.js';
import { unlessAborted } from '../base/process/timing.js';
import {
  type RecordedEdit,
  readSessionEvidence,
  type SessionEvidence,
} from '../sessions/files/read-session-evidence.js';
import type { WallClockMark } from './wall-clock-mark.js';

/** Session evidence of a step: what the CLI's session file proves about its turns. */
export class StepEvidence {
  readonly #resolved: Pick<ResolvedStep, 'geminiHome' | 'workingDir' | 'logger'>;
  /** Start of the step. */
  readonly #started: WallClockMark;
  readonly #refusedIds = new Set<string>();
  #edits: readonly RecordedEdit[] = [];
  #messages: readonly SessionMessage[] | undefined;

  constructor(
    resolved: Pick<ResolvedStep, 'geminiHome' | 'workingDir' | 'logger'>,
    started: WallClockMark,
  ) {
    this.#resolved = resolved;
    this.#started = started;
  }

  /** File changes of all turns. */
  get edits(): readonly RecordedEdit[] {
    return this.#edits;
  }

  /** Messages of all turns; undefined if there is no session file. */
  get messages(): readonly SessionMessage[] | undefined {
    return this.#messages;
  }

  /**
   * Reads the evidence of one turn. Tool calls, edits and messages are read from the whole step, because the CLI may
   * add the calls of a later turn to a line of an earlier one.
   */
  async read(
    sessionId: string | undefined,
    turnStarted: WallClockMark,
    isRepair: boolean,
    signal: AbortSignal,
  ): Promise<SessionEvidence | undefined> {
    const known = new Set(this.#messages?.map(({ id }) => id));
    const own = await this.#readSince(sessionId, turnStarted, signal, known);
    const whole = isRepair ? await this.#readSince(sessionId, this.#started, signal) : own;
    const refused = whole?.refusedCalls.filter(({ id }) => !this.#refusedIds.has(id)) ?? [];
    for (const { id } of refused) this.#refusedIds.add(id);
    this.#edits = whole?.edits ?? this.#edits;
    this.#messages = whole?.messages ?? this.#messages;
    return own && { ...own, refusedCalls: refused };
  }

  /** Returns undefined and logs a warning if the session file cannot be read in time, so that the step is not lost. */
  async #readSince(
    sessionId: string | undefined,
    { sinceMs, wasSetBack }: WallClockMark,
    signal: AbortSignal,
    knownIds?: ReadonlySet<string>,
  ): Promise<SessionEvidence | undefined> {
    const { geminiHome, workingDir: projectDir, logger } = this.#resolved;
    if (sessionId === undefined || geminiHome === undefined) return undefined;
    // After the clock was set back, time stamps do not tell the messages of earlier turns from those of this one.
    const without = wasSetBack ? knownIds : undefined;
    const query = { geminiHome, sessionId, projectDir, sinceMs, without };
    try {
      return await unlessAborted(readSessionEvidence(query), signal);
    } catch (error) {
      logger.warn({ error: String(error), sessionId }, 'The session file cannot be read');
      return undefined;
    }
  }
}
