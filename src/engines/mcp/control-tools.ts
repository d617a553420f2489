import type { McpServer } from '@modelcontextprotocol/server';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { Job, JobOutcome } from './job.js';
import { jobResultSchema as outputSchema } from './job-result.js';
import type { McpServerParts } from './mcp-server-parts.js';
import { describeServer, statusSchema } from './server-status.js';
import { cancelArguments, jobArguments, statusArguments } from './tool-arguments.js';
import { answerCall, answerWithJob, toCallResult, waitForAnyJob } from './tool-call.js';
import { TOOL_TEXTS } from './tool-texts.js';

/** Longest wait of `gemini_cancel` for the end of the processes. */
const LONGEST_CANCEL_SECONDS = 30;

/** Adds the tools that concern jobs which exist already, and the status. */
export function addControlTools(server: McpServer, parts: McpServerParts): void {
  const { jobs, ceiling, rewriteHint } = parts;

  server.registerTool(
    'gemini_wait',
    {
      ...TOOL_TEXTS.gemini_wait,
      inputSchema: jobArguments,
      outputSchema,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ jobId, waitSeconds }, call) =>
      answerCall(rewriteHint, async () => {
        const job = jobs.get(jobId);
        await waitForAnyJob(job, waitSeconds, call);
        return answerWithJob(job, rewriteHint);
      }),
  );

  server.registerTool(
    'gemini_cancel',
    {
      ...TOOL_TEXTS.gemini_cancel,
      inputSchema: cancelArguments,
      outputSchema,
      annotations: { readOnlyHint: false, idempotentHint: true, openWorldHint: false },
    },
    ({ jobId }, call) =>
      answerCall(rewriteHint, async () => {
        const job = jobs.get(jobId);
        job.cancel();
        await waitForAnyJob(job, LONGEST_CANCEL_SECONDS, call);
        job.outcome.patch?.discard();
        return { ...answerWithJob(job, rewriteHint), isError: false };
      }),
  );

  server.registerTool(
    'gemini_status',
    {
      ...TOOL_TEXTS.gemini_status,
      inputSchema: statusArguments,
      outputSchema: statusSchema,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ cwd }) =>
      answerCall(rewriteHint, async () => {
        return toCallResult(await describeServer(parts.roots.resolveFolder(cwd), parts));
      }),
  );
  if (!ceiling.mayEdit) return;

  server.registerTool(
    'gemini_apply',
    {
      ...TOOL_TEXTS.gemini_apply,
      inputSchema: jobArguments,
      outputSchema,
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    },
    ({ jobId, waitSeconds }, call) =>
      answerCall(rewriteHint, async () => {
        const job = jobs.get(jobId);
        if (!job.hasEnded) throw notEnded(job);
        const applying = job.follow('applying the changes', () => applyPatch(job.outcome));
        // A conflict fails this call, not the job: the changes can be applied later.
        await Promise.race([applying, waitForAnyJob(job, waitSeconds, call)]);
        if (job.state !== 'running') await applying;
        else applying.catch(() => {});
        return answerWithJob(job, rewriteHint);
      }),
  );
}

async function applyPatch(outcome: JobOutcome): Promise<JobOutcome> {
  const { output, patch } = outcome;
  if (patch === undefined || output === undefined) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: 'The job has no changes that could be applied',
      hint: 'Only a gemini_edit job with isolation "worktree" or "copy" that has changed files has some.',
    });
  }
  const { files, warnings } = await patch.apply();
  return { ...outcome, output: { ...output, files, warnings: [...output.warnings, ...warnings] } };
}

function notEnded({ id }: Job): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `Job ${id} has not ended yet`,
    hint: 'Call gemini_wait first, and read the result.',
  });
}
