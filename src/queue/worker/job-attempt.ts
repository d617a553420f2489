import { setMaxListeners } from 'node:events';
import type { SessionMessagesEvent } from '../../api/agent-event.js';
import type { ProviderErrorData } from '../../api/error.js';
import type { JobReport } from '../../api/job-report.js';
import type { ResponseProvider } from '../../api/response-provider.js';
import type { GenerateResult } from '../../api/result.js';
import { isOutOfSpace } from '../../base/errors/out-of-space.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { toProviderError } from '../../base/errors/unexpected-error.js';
import { hasLimits } from '../../base/events/has-limits.js';
import { assertBelowCeiling } from '../protocol/ceiling.js';
import { type Envelope, readCancelled, unpackJob } from '../protocol/envelope.js';
import type { Progress } from '../protocol/job-progress.js';
import { packOutcome } from '../protocol/outcome.js';
import { readPayload, writePayload } from '../protocol/payload.js';
import type { SigningTrust } from '../protocol/signature.js';
import { TAIL_MINOR } from '../protocol/version.js';
import type { OpenStore } from '../store/open-store.js';
import type { BullJob } from '../store/queue-store.js';
import { EventSender } from './event-sender.js';
import type { AttemptEnd } from './job-failure.js';
import { type AttemptWorkspace, openWorkspace } from './open-workspace.js';
import type { ProcessorSettings } from './worker-settings.js';

/** Time that an error without a readable envelope stays in the store. */
const DEFAULT_KEEP_MS = 24 * 60 * 60_000;

export interface Attempt {
  readonly job: BullJob;
  readonly id: string;
  readonly progress: Progress;
  /** Resolves when the progress is written. The step does not wait for that, its events and its end do. */
  readonly begun: Promise<unknown>;
  readonly provider: ResponseProvider;
  readonly store: OpenStore;
  readonly settings: ProcessorSettings;
  readonly trust: SigningTrust;
  /** Aborted with an `AttemptEnd` when the attempt must end. */
  readonly signal: AbortSignal;
}

/** How an attempt ended: what is written to the job, or the error. */
export type AttemptOutcome =
  | { readonly isOk: true; readonly value: unknown }
  | {
      readonly isOk: false;
      readonly error: ProviderError;
      /** True if a disk of this machine is full: on another worker, the step may succeed. */
      readonly isDiskFull: boolean;
      /** Writes the error as text for the job. */
      readonly pack: () => Promise<string>;
    };

interface StepEnd {
  readonly result: GenerateResult;
  readonly messages: SessionMessagesEvent | undefined;
}

/** Runs one attempt of a job. Never throws for a failure of the step. */
export async function runJobAttempt(attempt: Attempt): Promise<AttemptOutcome> {
  const { id, store, settings, trust, progress, begun } = attempt;
  const producer = store.producer(attempt.job.queueName);
  const sender = new EventSender({ producer, jobId: id, attempt: progress.attempt, trust, begun });
  const report: JobReport = { jobId: id, ...pickReport(progress) };
  let envelope: Envelope | undefined;
  let workspace: AttemptWorkspace | undefined;
  let changes: unknown;
  let isCollected = false;
  const toContent = async (content: unknown) => {
    const tail = await sender.end((envelope?.protocol.minor ?? 0) >= TAIL_MINOR);
    const text = JSON.stringify({ ...toObject(content), sent: sender.count, tail });
    return writePayload(text, store.blobs, envelope?.keepMs ?? DEFAULT_KEEP_MS);
  };
  try {
    envelope = unpackJob(id, attempt.job.data, trust);
    const setup = envelope.workspace.kind === 'ship' ? envelope.workspace.setup : undefined;
    assertBelowCeiling(envelope.options, setup !== undefined, settings.ceiling);
    assertInTime(envelope, store.nowMs());
    assertNotCancelled(attempt.job.data);
    const { blobs } = store;
    workspace = await openWorkspace({ envelope, blobs, settings, signal: attempt.signal });
    const { result, messages } = await runStep(attempt, envelope, workspace, sender);
    isCollected = true;
    changes = await collectChanges(workspace, result);
    // The manifest keeps the paths of this machine: the caller compares it with the changes.
    const { files } = result;
    const mapped = workspace.mapData({ result: { ...result, files: [] }, messages });
    const content = await toContent({ ...mapped, result: { ...mapped.result, files } });
    const value = packOutcome('result', { job: report, content, changes }, trust);
    return { isOk: true, value };
  } catch (thrown) {
    const error = toStepError(thrown, attempt.signal);
    const data = error.toJSON();
    let problem: ProviderError | undefined;
    if (!isCollected && !isGivenUp(attempt.signal)) {
      const files = data.partial?.files ?? [];
      changes = await workspace?.collect(files).catch((reason: unknown) => {
        if (!attempt.signal.aborted) problem = toProviderError(reason);
      });
    }
    const mapped = mapError(withProblem(data, problem), workspace);
    const pack = async (): Promise<string> => {
      const content = await toContent({ error: mapped });
      return JSON.stringify(packOutcome('error', { job: report, content, changes }, trust));
    };
    // A shared folder is as full for all workers.
    const isDiskFull = envelope?.workspace.kind === 'ship' && isOutOfSpace(error);
    return { isOk: false, error, isDiskFull, pack };
  } finally {
    await workspace?.dispose().catch((error: unknown) => {
      settings.connection.logger.warn({ jobId: id, error }, 'The workspace cannot be removed');
    });
  }
}

/** Runs the step and sends its events. The last event stays here: the result carries what it says. */
async function runStep(
  { id: jobId, provider, store, signal }: Attempt,
  envelope: Envelope,
  workspace: AttemptWorkspace,
  sender: EventSender,
): Promise<StepEnd> {
  const prompt = await readPayload(envelope.prompt, store.blobs);
  const { sessionProject } = workspace;
  const { traceparent } = envelope;
  const context = {
    jobId,
    ...(sessionProject !== undefined && { sessionProject }),
    ...(traceparent !== undefined && { traceparent }),
  };
  setMaxListeners(0, signal);
  const given = envelope.options;
  const limited = hasLimits(provider) ? provider.keepLimits(given) : given;
  const options = { ...limited, workingDir: workspace.dir, signal };
  let messages: SessionMessagesEvent | undefined;
  let result: GenerateResult | undefined;
  for await (const event of provider.stream(prompt, context, options)) {
    if (event.type === 'turn-complete') result = event.result ?? result;
    else if (event.type === 'session-messages') messages = event;
    else sender.add(workspace.mapEvent(event));
  }
  if (result !== undefined) return { result, messages };
  throw new ProviderError({ code: 'UNKNOWN', message: 'The step ended without a result' });
}

/** Finds the changes of a step that has succeeded. The error of changes that cannot travel carries what the step has done. */
async function collectChanges(
  workspace: AttemptWorkspace,
  result: GenerateResult,
): Promise<unknown> {
  try {
    return await workspace.collect(result.files);
  } catch (thrown) {
    const error = toProviderError(thrown);
    throw new ProviderError({ ...error.toJSON(), partial: error.partial ?? result, cause: error });
  }
}

/** Adds to the hint of a failed step why its changes do not come back. */
function withProblem(
  data: ProviderErrorData,
  problem: ProviderError | undefined,
): ProviderErrorData {
  if (problem === undefined) return data;
  const lost = `Its changes did not come back: ${problem.message}. ${problem.hint}`;
  return { ...data, hint: `${data.hint} ${lost}`.trim() };
}

/** True if no caller will see the outcome of the attempt. */
function isGivenUp(signal: AbortSignal): boolean {
  const end: AttemptEnd | undefined = signal.aborted ? signal.reason : undefined;
  return end?.kind === 'lost' || end?.kind === 'returned';
}

/** Maps the paths of an error. The manifest keeps the paths of this machine, as that of a result. */
function mapError(
  data: ProviderErrorData,
  workspace: AttemptWorkspace | undefined,
): ProviderErrorData {
  const { partial } = data;
  const mapped = workspace?.mapData({
    ...data,
    ...(partial && { partial: { ...partial, files: [] } }),
  });
  if (mapped === undefined || partial === undefined) return mapped ?? data;
  return { ...mapped, partial: { ...partial, ...mapped.partial, files: partial.files } };
}

/** Names the reason of a cancelled attempt: the provider only knows that its signal was aborted. */
function toStepError(thrown: unknown, signal: AbortSignal): ProviderError {
  const error = toProviderError(thrown, signal);
  const end: AttemptEnd | undefined = signal.aborted ? signal.reason : undefined;
  if (end?.kind !== 'cancelled' || error.code !== 'CANCELLED') return error;
  const message = `The job was cancelled: ${end.reason}`;
  return new ProviderError({ ...error.toJSON(), code: 'CANCELLED', message, cause: error.cause });
}

function assertInTime({ expiresAtMs, createdAtMs }: Envelope, nowMs: number): void {
  if (nowMs <= expiresAtMs) return;
  throw new ProviderError({
    code: 'TIMEOUT',
    phase: 'start',
    message: `No worker took the job within ${Math.round((expiresAtMs - createdAtMs) / 1_000)} s`,
    hint: 'Start more workers, or raise `waitTimeout` (`--wait-timeout`).',
  });
}

function assertNotCancelled(data: unknown): void {
  const reason = readCancelled(data);
  if (reason === undefined) return;
  const message = `The job was cancelled before it ran: ${reason}`;
  throw new ProviderError({ code: 'CANCELLED', message });
}

function pickReport({ worker, host, attempt, waitMs, lost }: Progress): Omit<JobReport, 'jobId'> {
  return { worker, host, attempt, waitMs, lost };
}

function toObject(content: unknown): object {
  return typeof content === 'object' && content !== null ? content : {};
}
