import type { BatchEvent } from '../../api/batch-event.js';
import type { BatchOptions } from '../../api/batch-options.js';
import type { ExpandedPlan } from '../../api/batch-plan.js';
import type { BatchReport } from '../../api/batch-report.js';
import { readEnvironment } from '../../base/process/environment.js';
import { batchExitCode, EXIT_CODES } from '../exit-status.js';
import { type Output, print, printJson, sayOn } from '../output/output.js';
import { type ConnectionNotices, showConnection } from '../queue/connection-notices.js';
import { listenToSignals } from '../signals.js';
import type { CommandTelemetry } from '../telemetry/open-telemetry.js';
import type { OtlpFlags } from '../telemetry/otlp-flag.js';
import type { DryRunFlags } from './batch-dry-run.js';
import { describeReport } from './batch-summary.js';
import { BatchView } from './batch-view.js';
import { collectFacts } from './collect-facts.js';
import { type PublishFlags, publishReport } from './publish-report.js';
import { describeResumeCommand } from './resume-command.js';

export interface RunPlanFlags extends OtlpFlags, PublishFlags, DryRunFlags {
  readonly dryRun?: boolean;
}

/** Runs a plan for a command, shows its progress and its report. Returns the exit code. */
export async function runPlan(
  plan: ExpandedPlan,
  options: BatchOptions,
  flags: RunPlanFlags,
  output: Output,
  onEvent?: (event: BatchEvent) => void,
): Promise<number> {
  if (flags.dryRun === true) {
    const { dryRun } = await import('./batch-dry-run.js');
    return dryRun(plan, options, flags, output);
  }
  const telemetry = await openBatchTelemetry(flags, output);
  try {
    const observer = await telemetry?.tracing.traceBatch(telemetry.options);
    const notices = telemetry?.notices;
    return await runObserved(plan, { ...options, observer }, { flags, output, notices, onEvent });
  } finally {
    // The summary is printed before: the user does not wait for the endpoint.
    await telemetry?.close();
  }
}

async function openBatchTelemetry(
  { otlp }: OtlpFlags,
  { stderr }: Output,
): Promise<CommandTelemetry | undefined> {
  if (otlp === undefined) return undefined;
  const { openTelemetry } = await import('../telemetry/open-telemetry.js');
  return openTelemetry(otlp, sayOn(stderr));
}

interface Watching {
  readonly flags: RunPlanFlags;
  readonly output: Output;
  /** Where the telemetry tells that its endpoint does not answer. */
  readonly notices: ConnectionNotices | undefined;
  /** Called for each event, for another view of the batch. */
  readonly onEvent: ((event: BatchEvent) => void) | undefined;
}

async function runObserved(
  plan: ExpandedPlan,
  options: BatchOptions,
  watching: Watching,
): Promise<number> {
  const { flags, output } = watching;
  const { out = '.' } = options;
  const { report, signalExitCode } = await watch(plan, options, watching);
  if (flags.json !== true) {
    const { OutputFolder } = await import('../../batch/run/output-folder.js');
    const { pageFile } = new OutputFolder(out);
    const resumeCommand = describeResumeCommand(process.argv.slice(2));
    const text = describeReport(report, { pageFile, resumeCommand, paint: output.stdout.paint });
    await print(output.stdout, `${text}\n`);
  }
  await publishReport(report, flags, readEnvironment(), output);
  // If the signal came when no step was left to start, the batch has still succeeded.
  const code = batchExitCode(report);
  return report.outcome === 'succeeded' ? code : (signalExitCode ?? code);
}

async function watch(
  plan: ExpandedPlan,
  options: BatchOptions,
  { flags, output, notices, onEvent }: Watching,
): Promise<{ readonly report: BatchReport; readonly signalExitCode: number | undefined }> {
  const { runBatch } = await import('../../batch/run/run-batch.js');
  const run = runBatch(plan, options);
  const signals = listenToSignals(output, {
    onInterrupt: (count) => {
      if (count === 1) run.stop('by Ctrl-C');
      else if (count === 2) run.cancel('by a second Ctrl-C');
      else process.exit(EXIT_CODES.CANCELLED);
    },
    onEnd: (cause) => run.cancel(cause),
  });
  const view =
    flags.json === true ? undefined : new BatchView(output.stderr, collectFacts(plan, options));
  if (view !== undefined) {
    showConnection(options.provider, (text) => view.note(text));
    if (notices !== undefined) notices.show = (text) => view.note(text);
  }
  try {
    for await (const event of run) {
      onEvent?.(event);
      if (view === undefined) await printJson(output.stdout, event);
      else view.accept(event);
    }
    const { interrupts, hangupExitCode } = signals;
    const interruptedCode = interrupts > 0 ? EXIT_CODES.CANCELLED : undefined;
    return { report: await run, signalExitCode: hangupExitCode ?? interruptedCode };
  } finally {
    view?.stop();
    if (notices !== undefined) notices.show = sayOn(output.stderr);
    signals.forget();
  }
}
