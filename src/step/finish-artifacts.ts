import type { TurnOutcome } from '../agents/driver.js';
import type { ResolvedStep } from '../agents/resolve-step.js';
import type { StepWarning } from '../api/result.js';
import { messageOf } from '../base/errors/message-of.js';
import type { PrivateDirectory } from '../base/process/private-directory.js';
import { keepArtifacts, removeReports } from './artifacts.js';

/** Keeps the artifacts of a step if configured, and removes the reports of the CLI. A failure is only a warning. */
export async function finishArtifacts(
  { config, generationId, redactor, workingDir, cli }: ResolvedStep,
  directory: PrivateDirectory,
  outcomes: readonly TurnOutcome[],
  signal: AbortSignal,
): Promise<{ readonly folder?: string; readonly warnings: readonly StepWarning[] }> {
  const { keepArtifacts: keep } = config;
  const reportFiles = outcomes.flatMap((outcome) => outcome.reportFiles);
  const [call, ...repairs] = outcomes.map(({ call, exit: { exitCode, signal } }) => {
    return { ...call, workingDir, exitCode, signal };
  });
  try {
    if (keep === false) return { warnings: [] };
    const folder = await keepArtifacts({
      keep,
      generationId,
      directory: directory.path,
      moreFiles: reportFiles,
      call: {
        cli: cli.location.path,
        version: cli.version,
        ...call,
        ...(repairs.length === 0 ? {} : { repairs }),
      },
      redactor,
      signal,
    });
    return { folder, warnings: [] };
  } catch (error) {
    const reason = signal.aborted ? 'the time of the step was over' : messageOf(error);
    const message = `The artifacts were not kept (keepArtifacts): ${reason}`;
    return { warnings: [{ code: 'ARTIFACTS_NOT_KEPT', message }] };
  } finally {
    await removeReports(reportFiles);
  }
}
