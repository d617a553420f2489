import type { BatchReport } from '../../api/batch-report.js';
import type { CostEstimate } from '../../api/cost.js';
import type { ProviderErrorData } from '../../api/error.js';
import type { ManifestFile } from '../../api/manifest.js';
import type { Usage } from '../../api/result.js';
import { capRemark, capText } from './cap-text.js';
import type { Job, JobOutcome } from './job.js';
import { listJobParts, uriOf } from './job-resources.js';
import type { JobResult } from './job-result.js';
import {
  LONGEST_DATA,
  LONGEST_DIFF,
  LONGEST_TEXT,
  MOST_DIFF_CHARACTERS,
  MOST_FILES,
  MOST_REMARKS,
  MOST_STEPS,
} from './mcp-limits.js';

/** Rewrites a hint for a reader who starts the server with flags, not with code. */
export type RewriteHint = (hint: string) => string;

const READ_ONLY = 'gemini_ask changes nothing: use gemini_edit.';

/** Maps a job to the structured result of a tool. All texts are cut to their limits. */
export function mapJob(job: Job, rewriteHint: RewriteHint): JobResult {
  const { id: jobId, tool, state, cwd, elapsedMs } = job;
  const isOver = state !== 'waiting' && state !== 'running';
  const parts = isOver ? listJobParts(job) : [];
  return {
    jobId,
    tool,
    state,
    cwd,
    elapsedMs,
    activity: isOver ? undefined : job.activity,
    ...(isOver ? mapOutcome(job, rewriteHint) : {}),
    resources: parts.length === 0 ? undefined : parts.map((part) => uriOf(jobId, part)),
  };
}

function mapOutcome({ tool, outcome }: Job, rewriteHint: RewriteHint): Partial<JobResult> {
  const { output, error, patch, batch } = outcome;
  // The mode of a question is fixed: no flag would allow the call.
  const rewriteDenied = tool === 'gemini_ask' ? () => READ_ONLY : rewriteHint;
  return {
    ...(output === undefined ? {} : mapOutput(output, rewriteDenied)),
    ...(error === undefined ? {} : { error: mapError(error, rewriteHint) }),
    ...(patch === undefined
      ? {}
      : { patch: { state: patch.state, file: patch.file, bytes: patch.bytes } }),
    ...(batch === undefined ? {} : mapBatch(batch)),
  };
}

function mapOutput(
  output: NonNullable<JobOutcome['output']>,
  rewriteHint: RewriteHint,
): Partial<JobResult> {
  const { text, isCut } = capText(output.text, LONGEST_TEXT);
  const { data, sessionId, model, usage, cost } = output;
  const more = output.files.length - MOST_FILES;
  return {
    text,
    isTextCut: isCut ? true : undefined,
    // JSON that is too long is in the text, which is a resource, too.
    data: data === undefined || JSON.stringify(data).length > LONGEST_DATA ? undefined : data,
    files: mapFiles(output.files),
    moreFiles: more > 0 ? more : undefined,
    sessionId,
    model,
    usage: usage && mapUsage(usage),
    cost: cost && mapCost(cost),
    deniedTools: output.deniedTools.slice(0, MOST_REMARKS).map(({ tool, reason, hint }) => {
      return { tool: capRemark(tool), reason, hint: capRemark(rewriteHint(hint)) };
    }),
    warnings: output.warnings.slice(0, MOST_REMARKS).map(({ code, message }) => {
      return { code, message: capRemark(message) };
    }),
  };
}

type ShownFile = Pick<ManifestFile, 'path' | 'kind' | 'bytes' | 'diff' | 'sensitive'>;

function mapFiles(files: readonly ShownFile[]): NonNullable<JobResult['files']> {
  let left = MOST_DIFF_CHARACTERS;
  return files.slice(0, MOST_FILES).map(({ path, kind, bytes, diff, sensitive }) => {
    const { text, isCut } = capText(diff ?? '', Math.min(LONGEST_DIFF, left));
    left -= text.length;
    return {
      path,
      kind,
      bytes,
      diff: text === '' ? undefined : text,
      isDiffCut: isCut ? true : undefined,
      sensitive,
    };
  });
}

function mapUsage({ models: _models, ...counts }: Usage): NonNullable<JobResult['usage']> {
  return counts;
}

function mapCost({ usd, unknownModels, isLowerBound }: CostEstimate): JobResult['cost'] {
  return { usd, unknownModels: unknownModels.slice(0, MOST_REMARKS), isLowerBound };
}

export function mapError(
  { code, message, hint, retryable, retryAfterMs, missing }: ProviderErrorData,
  rewriteHint: RewriteHint,
): NonNullable<JobResult['error']> {
  return {
    code,
    message: capRemark(message),
    hint: capRemark(rewriteHint(hint)),
    retryable,
    retryAfterMs,
    missing: missing?.slice(0, MOST_REMARKS).map((one) => capRemark(one.message)),
  };
}

function mapBatch(report: BatchReport): Partial<JobResult> {
  const { name, outcome, stop, counts, usage, cost, warnings, steps } = report;
  const more = steps.length - MOST_STEPS;
  // Failed steps come first: they are what the caller has to look at.
  const ranked = [...steps].sort(
    (a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'),
  );
  return {
    usage: mapUsage(usage),
    cost: cost && mapCost(cost),
    warnings: warnings.slice(0, MOST_REMARKS).map(({ code, message }) => {
      return { code, message: capRemark(message) };
    }),
    files: mapFiles(report.files),
    batch: {
      name,
      outcome,
      stop: stop && capRemark(stop.message),
      counts: { ...counts },
      steps: ranked.slice(0, MOST_STEPS).map(({ id, state, files, error, text }) => ({
        id,
        state,
        files: files.length,
        error: error && capRemark(`${error.code}: ${error.message}`),
        text: text === undefined ? undefined : capRemark(text),
      })),
      moreSteps: more > 0 ? more : undefined,
    },
  };
}
