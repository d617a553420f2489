import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ResolvedStep } from '../agents/resolve-step.js';
import type { AgentEvent } from '../api/agent-event.js';
import type { CostEstimate } from '../api/cost.js';
import type { FileChangeEvent } from '../api/progress-event.js';
import type { Usage } from '../api/result.js';
import type { ToolCompletionEvent } from '../api/tool-event.js';
import { createDiff } from '../base/fs/diff.js';
import { sumUsage } from '../base/usage/add-usage.js';
import type { RequestTokens } from '../base/usage/estimate-cost.js';
import { LiveEvidence } from '../sessions/files/live-evidence.js';
import type { RecordedEdit } from '../sessions/files/read-session-evidence.js';
import { relativePath } from './manifest/relative-path.js';
import type { Step } from './step.js';
import { estimateStepCost } from './step-cost.js';
import type { WallClockMark } from './wall-clock-mark.js';

type StepOfProgress = Pick<Step, 'remote'> & {
  readonly resolved: Pick<ResolvedStep, 'geminiHome' | 'workingDir' | 'logger' | 'config'>;
};

/**
 * Tells usage and file changes while a step runs: from the events of the agent, and from the session file of the Gemini
 * CLI, which has the edits of headless steps and the tokens of each answer.
 */
export class LiveProgress {
  readonly #step: StepOfProgress;
  readonly #started: WallClockMark;
  /** Calls whose file changes were told. */
  readonly #told = new Set<string>();
  #evidence: LiveEvidence | undefined;
  #usage: Usage | undefined;
  /** Usage of the finished turns, for agents that report the usage of the present turn alone. */
  #earlier: Usage | undefined;
  #hasNews = false;

  constructor(step: StepOfProgress, started: WallClockMark) {
    this.#step = step;
    this.#started = started;
  }

  /** Passes the events of a turn on, with the news after each of them. */
  async *follow<Outcome>(
    events: AsyncIterator<AgentEvent, Outcome>,
    sessionId: () => string | undefined,
  ): AsyncGenerator<AgentEvent, Outcome> {
    try {
      for (;;) {
        const next = await events.next();
        if (next.done) {
          yield* this.#look(sessionId());
          this.#earlier = this.#usage;
          return next.value;
        }
        const event = this.#addEarlier(next.value);
        yield event;
        if (event.type === 'tool-completion') yield* this.#describeContent(event);
        if (this.#isWorthALook(event)) yield* this.#look(sessionId());
      }
    } finally {
      await events.return?.();
    }
  }

  /** Tokens and tool calls of the step, as far as they were seen. */
  get usage(): Usage | undefined {
    return this.#usage;
  }

  async close(): Promise<void> {
    await this.#evidence?.close();
  }

  #addEarlier(event: AgentEvent): AgentEvent {
    if (event.type !== 'usage-update') return event;
    const usage = sumUsage([this.#earlier, event.usage]) ?? event.usage;
    this.#usage = usage;
    return { ...event, usage, cost: this.#costOf(usage) };
  }

  /** True if the session file may have grown: after tool calls, and with the first text after them. */
  #isWorthALook({ type }: AgentEvent): boolean {
    if (type === 'tool-invocation' || type === 'tool-completion') {
      this.#hasNews = type === 'tool-completion';
      return true;
    }
    const isText = type === 'text' || type === 'text-delta';
    if (!isText || !this.#hasNews) return false;
    this.#hasNews = false;
    return true;
  }

  async *#look(sessionId: string | undefined): AsyncGenerator<AgentEvent, void> {
    const reading = await this.#open(sessionId)
      ?.read()
      .catch((error: unknown) => {
        this.#step.resolved.logger.debug({ error: String(error) }, 'Session file not followed');
        return undefined;
      });
    for (const edit of reading?.edits ?? []) {
      if (!this.#told.has(edit.toolId)) yield this.#describeEdit(edit);
      this.#told.add(edit.toolId);
    }
    const usage = reading?.usage;
    if (usage === undefined || isDeepStrictEqual(usage, this.#usage)) return;
    this.#usage = usage;
    yield { type: 'usage-update', usage, cost: this.#costOf(usage, reading?.requests) };
  }

  #costOf(usage: Usage, requests: readonly RequestTokens[] = []): CostEstimate | undefined {
    return estimateStepCost(usage, requests, this.#step.resolved.config);
  }

  /** Opens the session file. A remote file system may not answer, so the file is not followed there. */
  #open(sessionId: string | undefined): LiveEvidence | undefined {
    const { resolved, remote } = this.#step;
    const { geminiHome, workingDir: projectDir } = resolved;
    if (sessionId === undefined || geminiHome === undefined || remote !== undefined)
      return undefined;
    const { sinceMs } = this.#started;
    this.#evidence ??= new LiveEvidence({ geminiHome, sessionId, projectDir, sinceMs });
    return this.#evidence;
  }

  /** Describes the file changes that an agent sends with the end of a tool call. */
  *#describeContent(event: ToolCompletionEvent): Generator<AgentEvent, void> {
    // The session file may have told of the call before its end arrived.
    if (this.#told.has(event.callId)) return;
    if (event.isError) return;
    for (const block of event.content ?? []) {
      if (block.type !== 'diff') continue;
      this.#told.add(event.callId);
      const tool = event.toolName ?? 'unknown';
      const path = event.derived?.mutation?.path ?? block.path;
      const before = block.oldText ?? undefined;
      yield this.#describeEdit({ tool, toolId: event.callId, path, before, after: block.newText });
    }
  }

  #describeEdit({ tool, toolId, path: named, before, after }: RecordedEdit): FileChangeEvent {
    const { workingDir } = this.#step.resolved;
    const path = relativePath(workingDir, resolve(workingDir, named));
    const diff = createDiff(path, before ?? null, after);
    const isNew = before === undefined;
    const kind = isNew ? 'created' : before === after ? 'unchanged' : 'modified';
    const event = { type: 'file-change', path, kind, callId: toolId, toolName: tool } as const;
    return diff === undefined ? event : { ...event, diff };
  }
}
