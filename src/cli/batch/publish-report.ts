import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { BatchReport } from '../../api/batch-report.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { writeAtomically } from '../../base/fs/write-atomically.js';
import type { Environment } from '../../base/process/environment.js';
import { cleanText } from '../../base/text/clean-text.js';
import { type Output, print } from '../output/output.js';
import { githubAnnotations, githubSummary } from './github-report.js';

export interface PublishFlags {
  readonly junit?: string;
  readonly githubAnnotations?: boolean;
  readonly json?: boolean;
}

/** Publishes the report of a batch for CI servers: as JUnit XML, and as annotations and summary of GitHub Actions. */
export async function publishReport(
  report: BatchReport,
  flags: PublishFlags,
  env: Environment,
  output: Output,
): Promise<void> {
  const isOnGithub = flags.githubAnnotations ?? env['GITHUB_ACTIONS'] === 'true';
  if (isOnGithub) await publishOnGithub(report, flags, env, output);
  if (flags.junit !== undefined) await writeJunit(report, resolve(flags.junit));
}

async function publishOnGithub(
  report: BatchReport,
  { json }: PublishFlags,
  env: Environment,
  output: Output,
): Promise<void> {
  // GitHub reads commands on both streams. With --json, stdout holds JSON lines alone.
  const printer = json === true ? output.stderr : output.stdout;
  const lines = githubAnnotations(report, env['GITHUB_WORKSPACE']);
  if (lines !== '') await print(printer, lines);
  const file = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (file === '') return;
  await appendFile(file, cleanText(githubSummary(report))).catch((error: unknown) =>
    print(output.stderr, `The job summary was not written: ${messageOf(error)}\n`),
  );
}

async function writeJunit(report: BatchReport, file: string): Promise<void> {
  const { junitXml } = await import('../../batch/report/junit-xml.js');
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeAtomically(file, junitXml(report));
  } catch (cause) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `Cannot write the JUnit report to ${file}`,
      hint: `${messageOf(cause)}. The batch itself is over: \`batch report\` with --junit writes the file again.`,
      cause,
    });
  }
}
