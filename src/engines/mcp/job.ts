import { randomBytes } from 'node:crypto';
import type { BatchReport } from '../../api/batch-report.js';
import type { ProviderErrorData } from '../../api/error.js';
import type { StepOutput } from '../../api/result.js';
import { toProviderError } from '../../base/errors/unexpected-error.js';
import { cleanLine } from '../../base/text/clean-text.js';
import type { EditPatch } from './edit-patch.js';

export type McpJobState = 'waiting' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** Tools that start a job. */
export type JobTool = 'gemini_ask' | 'gemini_edit' | 'gemini_batch';

/** What a job has brought. */
export interface JobOutcome {
  /** Output of the step, complete or partial. Absent for a batch, and if the step has not begun. */
  readonly output?: (StepOutput & { readonly data?: unknown }) | undefined;
  readonly error?: ProviderErrorData | undefined;
  /** Changes of an isolated step that are not in the folder yet. */
  readonly patch?: EditPatch | undefined;
  readonly batch?: BatchReport | undefined;
}

export interface JobWork {
  readonly tool: JobTool;
  /** Canonical path of the working directory. */
  readonly cwd: string;
  /** Does the work. Throws a `ProviderError`, unless the outcome has the error. */
  run(context: JobContext): Promise<JobOutcome>;
}

export interface JobContext {
  readonly id: string;
  readonly signal: AbortSignal;
  /** Tells what the job does now. */
  report(activity: string): void;
}

/** One piece of delegated work. It outlives the call that has started it. */
export class Job {
  readonly id = randomBytes(6).toString('hex');
  readonly createdAt = new Date();
  readonly #work: JobWork;
  readonly #cancel = new AbortController();
  readonly #listeners = new Set<(activity: string) => void>();
  readonly #ended: Promise<void>;
  #resolveEnded = (): void => {};
  #state: McpJobState = 'waiting';
  #outcome: JobOutcome = {};
  #activity = 'waiting for other jobs';
  #endedAt: Date | undefined;
  /** Work that follows the job itself: the patch is applied. */
  #after: Promise<unknown> = Promise.resolve();
  #isBusy = false;

  constructor(work: JobWork) {
    this.#work = work;
    this.#ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  get tool(): JobTool {
    return this.#work.tool;
  }

  get cwd(): string {
    return this.#work.cwd;
  }

  get state(): McpJobState {
    return this.#isBusy ? 'running' : this.#state;
  }

  get outcome(): JobOutcome {
    return this.#outcome;
  }

  /** Describes what the job does now, on one line. Names of files and tools in it come from the model. */
  get activity(): string {
    return this.#activity;
  }

  get hasEnded(): boolean {
    return this.#endedAt !== undefined;
  }

  get elapsedMs(): number {
    return (this.#endedAt ?? new Date()).getTime() - this.createdAt.getTime();
  }

  /** Resolves when the job has ended, and its patch is not being applied. */
  async settled(): Promise<void> {
    await this.#ended;
    await this.#after;
  }

  /** Calls a function for each new activity. Returns a function that ends the calls. */
  listen(listener: (activity: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Does the work of the job. Never throws. */
  async run(): Promise<void> {
    if (this.hasEnded) return;
    this.#state = 'running';
    this.#tell('starting');
    const { signal } = this.#cancel;
    const context = { id: this.id, signal, report: (text: string) => this.#tell(text) };
    try {
      this.#end(await this.#work.run(context));
    } catch (error) {
      const data = toProviderError(error).toJSON();
      this.#end({ output: data.partial, error: data });
    }
  }

  /** Ends the job. The processes of a running step end before `settled` resolves. */
  cancel(): void {
    if (this.hasEnded) return;
    this.#cancel.abort();
    if (this.#state === 'waiting') this.#end({});
  }

  /** Does further work on an ended job, one after another. The job counts as running meanwhile. */
  async follow(activity: string, work: () => Promise<JobOutcome>): Promise<void> {
    const last = this.#after;
    const next = last.then(async () => {
      this.#isBusy = true;
      this.#tell(activity);
      try {
        this.#outcome = await work();
      } finally {
        this.#isBusy = false;
      }
    });
    // The caller of `follow` gets the error. Others wait for the end only.
    this.#after = next.catch(() => {});
    await next;
  }

  #end(outcome: JobOutcome): void {
    this.#outcome = outcome;
    const isCancelled = this.#cancel.signal.aborted || outcome.error?.code === 'CANCELLED';
    if (outcome.error === undefined) this.#state = isCancelled ? 'cancelled' : 'succeeded';
    else this.#state = isCancelled ? 'cancelled' : 'failed';
    this.#endedAt = new Date();
    this.#resolveEnded();
  }

  #tell(activity: string): void {
    this.#activity = cleanLine(activity);
    for (const listener of this.#listeners) listener(this.#activity);
  }
}
