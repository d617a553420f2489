import type { RunWarning } from '../api/result.js';
import type { RunDirectory } from '../base/process/run-directory.js';
import { keepArtifacts, removeReports } from './artifacts.js';
import type { Stage } from '../agents/stage.js';
import type { TransportOutcome } from '../agents/transport.js';

/** Artifacts that cannot be kept are no reason to lose the run. */
export async function keepOrRemove(
  { config, runId, redactor, workingDir, cli }: Stage,
  directory: RunDirectory,
  outcomes: readonly TransportOutcome[],
): Promise<{ readonly folder?: string; readonly warnings: readonly RunWarning[] }> {
  const { keepArtifacts: keep } = config;
  const reportFiles = outcomes.flatMap((outcome) => outcome.reportFiles);
  const [call, ...repairs] = outcomes.map(({ call, end: { exitCode, signal } }) => {
    return { ...call, workingDir, exitCode, signal };
  });
  try {
    if (keep === false) return { warnings: [] };
    const folder = await keepArtifacts({
      keep,
      runId,
      directory: directory.path,
      moreFiles: reportFiles,
      call: {
        cli: cli.location.path,
        version: cli.version,
        ...call,
        ...(repairs.length === 0 ? {} : { repairs }),
      },
      redactor,
    });
    return { folder, warnings: [] };
  } catch (error) {
    const message = `The artifacts could not be kept: ${error instanceof Error ? error.message : String(error)}`;
    return { warnings: [{ code: 'ARTIFACTS_NOT_KEPT', message }] };
  } finally {
    await removeReports(reportFiles);
  }
}
