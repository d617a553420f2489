import type { AgentEvent } from '../contract/agent-event.js';
import type { RunWarning } from '../contract/result.js';
import { RunFold } from '../events/run-fold.js';
import { BeforeImages } from '../manifest/before-images.js';
import { buildManifest } from '../manifest/build-manifest.js';
import { createRunDirectory, type RunDirectory } from '../process/run-directory.js';
import { type PreparedPrompt, preparePrompt } from '../prompt/prepare-prompt.js';
import { type RunWitness, readRunWitness } from '../session/run-witness.js';
import { keepArtifacts, removeReports } from './artifacts.js';
import { concludeRun } from './conclude-run.js';
import { redactEvent } from './redact-run.js';
import { settleRun } from './settle-run.js';
import type { Stage } from './stage.js';
import type { ConcludedRun, Step } from './step.js';
import type { TransportOutcome } from './transport.js';
import { readPath } from './working-dir.js';
import { beginComparison } from './workspace-comparison.js';

/** The life of one call: run, hear the witnesses, judge, and clean up whatever happened. */
export async function* runStep(step: Step): AsyncGenerator<AgentEvent, void> {
  const directory = await createRunDirectory();
  try {
    const settled = yield* runAndSettle(step, directory);
    yield* concludeRun(step, settled);
  } finally {
    await directory.remove();
  }
}

async function* runAndSettle(
  step: Step,
  directory: RunDirectory,
): AsyncGenerator<AgentEvent, ConcludedRun> {
  const { stage } = step;
  const { config } = stage;
  const prompt = await prepare(step, directory);
  const compare = await beginComparison(stage, step.signal);
  step.signal?.throwIfAborted();
  const startedMs = Date.now();
  const fold = new RunFold();
  const beforeImages = new BeforeImages(stage.workingDir, startedMs);
  stage.logger.info({ runId: stage.runId, cli: stage.cli.location.path }, 'run starts');
  const outcome = yield* step.runOverTransport({
    stage,
    prompt,
    directory,
    signal: step.signal,
    observe: (event) => {
      const shown = redactEvent(event, stage.redactor);
      fold.accept(shown);
      beforeImages.accept(shown);
      return shown;
    },
  });
  const sessionId = fold.sessionId ?? config.sessionId;
  const witness = await hearWitness(stage, sessionId, startedMs);
  if (witness !== undefined) yield { type: 'session-messages', messages: witness.messages };
  const comparison = await compare(fold.toolCalls);
  const manifest = await buildManifest({
    ...stage,
    toolCalls: fold.toolCalls,
    edits: [...(witness?.edits ?? []), ...outcome.edits],
    beforeImages,
    changes: comparison.changes,
  });
  const settled = settleRun({
    fold,
    outcome,
    witness,
    manifest,
    settings: {
      ...config,
      promptBytes: Buffer.byteLength(prompt.text),
      isResumed: config.resume !== undefined,
      hasHooks: stage.cliSettings?.hasHooks ?? false,
      isOtherAgent: stage.cliSettings === undefined,
    },
    cliVersion: stage.cli.version ?? outcome.agentVersion,
    sessionId,
    durationMs: Date.now() - startedMs,
    warnings: [...prompt.warnings, ...comparison.warnings],
  });
  const kept = await keepOrRemove(stage, directory, outcome);
  const warnings = [...settled.output.warnings, ...kept.warnings];
  return {
    ...settled,
    outcome,
    output: { ...settled.output, warnings, artifactsDir: kept.folder },
  };
}

function prepare(step: Step, directory: RunDirectory): Promise<PreparedPrompt> {
  const { stage, prompt, context } = step;
  const { config } = stage;
  return preparePrompt({
    prompt,
    promptFile: readPath(context, 'promptFile', 'prompt_file'),
    delivery: config.promptDelivery,
    expandAt: config.expandAt,
    systemPrompt: config.systemPrompt,
    inSandbox: config.sandbox !== false,
    workingDir: stage.workingDir,
    workspaceDirs: stage.workspaceDirs,
    geminiHome: stage.geminiHome,
    privateFile: directory.file,
    signal: step.signal,
    protectMessage: step.protectMessage,
  });
}

/** A witness that cannot be read is no reason to lose the run. */
async function hearWitness(
  { geminiHome, workingDir: projectDir, logger }: Stage,
  sessionId: string | undefined,
  sinceMs: number,
): Promise<RunWitness | undefined> {
  if (sessionId === undefined || geminiHome === undefined) return undefined;
  try {
    return await readRunWitness({ geminiHome, sessionId, projectDir, sinceMs });
  } catch (error) {
    logger.warn({ error: String(error), sessionId }, 'the session file cannot be read');
    return undefined;
  }
}

/** Artifacts that cannot be kept are no reason to lose the run either. */
async function keepOrRemove(
  { config, runId, redactor, workingDir, cli }: Stage,
  directory: RunDirectory,
  { call, end, reportFiles }: TransportOutcome,
): Promise<{ readonly folder?: string; readonly warnings: readonly RunWarning[] }> {
  const { keepArtifacts: keep } = config;
  try {
    if (keep === false) return { warnings: [] };
    const { exitCode, signal } = end;
    const folder = await keepArtifacts({
      keep,
      runId,
      directory: directory.path,
      moreFiles: reportFiles,
      call: { cli: cli.location.path, version: cli.version, ...call, workingDir, exitCode, signal },
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
