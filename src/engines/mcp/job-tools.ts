import type { McpServer } from '@modelcontextprotocol/server';
import { ProviderError } from '../../base/errors/provider-error.js';
import { invalidConfig } from '../../config/config-problem.js';
import { createBatchWork } from './batch-job.js';
import type { Job } from './job.js';
import { jobResultSchema as outputSchema } from './job-result.js';
import type { McpServerParts } from './mcp-server-parts.js';
import { createStepWork, type DelegatedStep } from './step-job.js';
import { askArguments, batchArguments, editArguments } from './tool-arguments.js';
import { answerCall, answerWithJob, type McpCall, waitForOwnJob } from './tool-call.js';
import { TOOL_TEXTS } from './tool-texts.js';

interface StepArguments {
  readonly prompt: string;
  readonly cwd?: string | undefined;
  readonly files?: readonly string[] | undefined;
  readonly model?: string | undefined;
  readonly resume?: string | undefined;
}

/** Adds the tools that start a job. A server that may not edit has `gemini_ask` alone. */
export function addJobTools(server: McpServer, parts: McpServerParts): void {
  const { jobs, ceiling, rewriteHint } = parts;
  const answer = async (job: Job, seconds: number, call: McpCall) => {
    await waitForOwnJob(job, seconds, call);
    return answerWithJob(job, rewriteHint);
  };

  server.registerTool(
    'gemini_ask',
    {
      ...TOOL_TEXTS.gemini_ask,
      inputSchema: askArguments,
      outputSchema,
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    (given, call) =>
      answerCall(rewriteHint, () => {
        const { json, waitSeconds } = given;
        const options = {
          // The server may allow tools that write. A question gets none of them.
          approvalMode: 'plan',
          allowedTools: [],
          ...(json === undefined ? {} : { expects: { json }, repair: 1 }),
        };
        const request = resolveStep(given, options, parts);
        const work = { ...request, tool: 'gemini_ask', isolation: 'shared' } as const;
        return answer(
          jobs.start(createStepWork(work, parts.provider, parts.state)),
          waitSeconds,
          call,
        );
      }),
  );
  if (!ceiling.mayEdit) return;

  server.registerTool(
    'gemini_edit',
    {
      ...TOOL_TEXTS.gemini_edit,
      inputSchema: editArguments,
      outputSchema,
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
    (given, call) =>
      answerCall(rewriteHint, () => {
        const { allowShell, expects, repair, isolation, waitSeconds } = given;
        const problems = ceiling.findCommandProblems(expects?.command, allowShell);
        if (problems.length > 0) throw invalidConfig(problems);
        const options = {
          ...ceiling.editOptions(allowShell),
          ...(expects === undefined ? {} : { expects, repair }),
        };
        const request = resolveStep(given, options, parts);
        const work = { ...request, tool: 'gemini_edit', isolation } as const;
        return answer(
          jobs.start(createStepWork(work, parts.provider, parts.state)),
          waitSeconds,
          call,
        );
      }),
  );

  server.registerTool(
    'gemini_batch',
    {
      ...TOOL_TEXTS.gemini_batch,
      inputSchema: batchArguments,
      outputSchema,
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
    (given, call) =>
      answerCall(rewriteHint, () => {
        const { plan, steps, out, concurrency, allowShell, waitSeconds } = given;
        const cwd = parts.roots.resolveFolder(given.cwd);
        if ((plan === undefined) === (steps === undefined)) throw planOrSteps();
        if (allowShell) ceiling.editOptions(allowShell);
        const request = {
          cwd,
          plan: plan === undefined ? (steps ?? []) : parts.roots.resolvePath(plan, 'plan', cwd),
          concurrency: Math.min(concurrency ?? parts.maxJobs, parts.maxJobs),
          allowShell,
          ...(out === undefined ? {} : { out: parts.roots.resolvePath(out, 'out', cwd) }),
        };
        return answer(jobs.start(createBatchWork(request, parts)), waitSeconds, call);
      }),
  );
}

/** Checks the paths of a step and adds what the caller has chosen. */
function resolveStep(
  { prompt, cwd: givenCwd, files = [], model, resume }: StepArguments,
  options: Readonly<Record<string, unknown>>,
  { roots }: McpServerParts,
): Pick<DelegatedStep, 'prompt' | 'cwd' | 'files' | 'options'> {
  const cwd = roots.resolveFolder(givenCwd);
  return {
    prompt,
    cwd,
    files: files.map((file) => roots.resolvePath(file, 'files', cwd)),
    options: {
      ...options,
      ...(model === undefined ? {} : { model }),
      ...(resume === undefined ? {} : { resume }),
    },
  };
}

function planOrSteps(): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: 'A batch needs either `plan` or `steps`',
    hint: 'Give the path of a plan file as `plan`, or a list of steps as `steps`.',
  });
}
