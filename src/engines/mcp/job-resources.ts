import { ProviderError } from '../../base/errors/provider-error.js';
import type { Job } from './job.js';
import { LONGEST_RESOURCE } from './mcp-limits.js';

/** Parts of an ended job that are resources. */
export const JOB_PARTS = ['text', 'files', 'patch', 'report'] as const;

export type JobPart = (typeof JOB_PARTS)[number];

export interface PartContent {
  readonly mimeType: string;
  readonly text: string;
}

/** Template of the URIs of all resources. */
export const RESOURCE_TEMPLATE = 'gemini://job/{id}/{part}';

export function uriOf(jobId: string, part: JobPart): string {
  return `gemini://job/${jobId}/${part}`;
}

export function isJobPart(name: unknown): name is JobPart {
  return JOB_PARTS.some((part) => part === name);
}

/** Lists the parts that a job has. */
export function listJobParts({ outcome: { output, patch, batch } }: Job): JobPart[] {
  const hasFiles = (output?.files.length ?? 0) > 0;
  return [
    ...(output !== undefined && output.text !== '' ? (['text'] as const) : []),
    ...(hasFiles ? (['files'] as const) : []),
    ...(patch?.file === undefined ? [] : (['patch'] as const)),
    ...(batch === undefined ? [] : (['report'] as const)),
  ];
}

/** Reads a part of a job as a whole. Throws INVALID_INPUT if the job has no such part. */
export function readJobPart(job: Job, part: JobPart): PartContent {
  const { output, patch, batch } = job.outcome;
  const content = listJobParts(job).includes(part)
    ? {
        text: () => ({ mimeType: 'text/plain', text: output?.text }),
        files: () => ({ mimeType: 'application/json', text: JSON.stringify(output?.files) }),
        patch: () => ({ mimeType: 'text/x-diff', text: patch?.read(LONGEST_RESOURCE + 1) }),
        report: () => ({ mimeType: 'application/json', text: JSON.stringify(batch) }),
      }[part]()
    : undefined;
  if (content?.text === undefined) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `Job ${job.id} has no ${part}`,
      hint: 'The result of gemini_wait lists the resources of a job.',
    });
  }
  const { text, mimeType } = content;
  if (text.length <= LONGEST_RESOURCE) return { text, mimeType };
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `The ${part} of job ${job.id} is too long for a resource`,
    hint: patch?.file === undefined ? 'Ask for a shorter answer.' : `Read ${patch.file}.`,
  });
}
