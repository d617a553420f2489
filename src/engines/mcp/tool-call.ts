import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { toProviderError } from '../../base/errors/unexpected-error.js';
import { callOnAbort } from '../../base/process/abort-listeners.js';
import { safeJson } from '../../base/text/safe-json.js';
import type { Job } from './job.js';
import { listJobParts, uriOf } from './job-resources.js';
import { mapError, mapJob, type RewriteHint } from './map-job.js';
import { waitForJob } from './wait-for-job.js';

/** A call of a tool, as the protocol hands it over. */
export type McpCall = Pick<ServerContext, 'mcpReq'>;

/**
 * Builds the result of a tool. The text is the structured result as JSON: a text of a model is a string in it and cannot
 * pass for a word of the tool.
 */
export function toCallResult(structured: object, isError = false): CallToolResult {
  return {
    content: [{ type: 'text', text: safeJson(structured) }],
    structuredContent: { ...structured },
    ...(isError ? { isError } : {}),
  };
}

/** Runs a tool. A failure that is no job's is an error result: the caller has to read code and hint. */
export async function answerCall(
  rewriteHint: RewriteHint,
  work: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    const mapped = mapError(toProviderError(error).toJSON(), rewriteHint);
    return { content: [{ type: 'text', text: safeJson({ error: mapped }) }], isError: true };
  }
}

/** Describes a job as the result of a tool, with links to what was cut off. */
export function answerWithJob(job: Job, rewriteHint: RewriteHint): CallToolResult {
  const result = mapJob(job, rewriteHint);
  const { content, ...rest } = toCallResult(result, job.state === 'failed');
  const parts = job.hasEnded ? listJobParts(job) : [];
  const links = parts.map((part) => {
    return {
      type: 'resource_link' as const,
      uri: uriOf(job.id, part),
      name: `${part} of ${job.id}`,
    };
  });
  return { ...rest, content: [...(content ?? []), ...links] };
}

/** Waits for a job that the call has started. If the client cancels the call, or gives up, the job ends. */
export async function waitForOwnJob(job: Job, seconds: number, call: McpCall): Promise<void> {
  const stopListening = callOnAbort(call.mcpReq.signal, () => job.cancel());
  try {
    await waitForAnyJob(job, seconds, call);
  } finally {
    stopListening();
  }
}

/** Waits for a job. If the client cancels the call, the job goes on. */
export async function waitForAnyJob(job: Job, seconds: number, call: McpCall): Promise<void> {
  const { signal, _meta } = call.mcpReq;
  const progressToken = _meta?.progressToken;
  let progress = 0;
  const tell = (message: string): void => {
    progress++;
    const params = { progressToken: progressToken ?? 0, progress, message };
    // A client that is gone is noticed by the transport.
    call.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  await waitForJob(job, { seconds, signal, ...(progressToken === undefined ? {} : { tell }) });
}
