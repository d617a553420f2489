import type { BatchEvent } from '../../api/batch-event.js';
import type { ExpandedPlan, PlannedStep, PlanStep } from '../../api/batch-plan.js';
import type { ConfigProblem } from '../../api/error.js';
import type { GenerateOptions } from '../../api/generate-options.js';
import type { ResponseProvider } from '../../api/response-provider.js';
import { describeActivity } from '../../base/events/step-activity.js';
import { expandPlan } from '../../batch/plan/expand-plan.js';
import { readPlan } from '../../batch/plan/read-plan.js';
import { runBatch } from '../../batch/run/run-batch.js';
import { invalidConfig, toProblem } from '../../config/config-problem.js';
import type { CallCeiling } from './call-ceiling.js';
import type { JobContext, JobOutcome, JobWork } from './job.js';
import type { WorkspaceRoots } from './workspace-roots.js';

/** Keys of the configuration that a plan may set. All others are decided by the server. */
const STEP_KEYS: ReadonlySet<string> = new Set([
  'model',
  'approvalMode',
  'allowedTools',
  'deniedTools',
  'includeDirectories',
  'workingDir',
  'timeout',
  'idleTimeout',
  'startTimeout',
  'maxCliAttempts',
  'promptDelivery',
  'systemPrompt',
  'resume',
  'workspaceScan',
  'permissionTimeout',
  'unattended',
  'strict',
  'maxCost',
]);

export interface BatchRequest {
  readonly cwd: string;
  /** Canonical path of a plan file, or steps from the caller. */
  readonly plan: string | readonly PlanStep[];
  /** Canonical path of the folder for the reports. */
  readonly out?: string | undefined;
  readonly concurrency: number;
  readonly allowShell: boolean;
}

export interface BatchLimitsOfServer {
  readonly provider: ResponseProvider;
  readonly ceiling: CallCeiling;
  readonly roots: WorkspaceRoots;
}

/** Creates the work of a job that is a batch. */
export function createBatchWork(request: BatchRequest, server: BatchLimitsOfServer): JobWork {
  const { cwd } = request;
  return { tool: 'gemini_batch', cwd, run: (context) => runBatchJob(request, server, context) };
}

async function runBatchJob(
  { plan: given, cwd: baseDir, out, concurrency, allowShell }: BatchRequest,
  { provider, ceiling, roots }: BatchLimitsOfServer,
  { signal, report }: JobContext,
): Promise<JobOutcome> {
  const plan =
    typeof given === 'string'
      ? await readPlan(given, { signal })
      : await expandPlan(given, { baseDir, signal });
  const allowed = allowShell ? ceiling : ceiling.withoutShell();
  assertAllowed(plan, allowed, roots);
  const batch = runBatch(plan, {
    provider: withDefaults(provider, ceiling.editOptions(allowShell)),
    preflight: 'provider',
    signal,
    concurrency: Math.min(concurrency, plan.limits.concurrency ?? concurrency),
    ...(out === undefined ? {} : { out }),
  });
  let ended = 0;
  for await (const event of batch) {
    if (event.type === 'step-finished') ended++;
    const activity = describe(event, baseDir);
    if (activity !== undefined) report(`${ended}/${plan.steps.length} ${activity}`);
  }
  return { batch: await batch };
}

/** Gives steps that set no mode the mode of the call: the configuration of the server may allow more. */
function withDefaults(provider: ResponseProvider, defaults: GenerateOptions): ResponseProvider {
  return {
    metadata: provider.metadata,
    validate: () => provider.validate(),
    generate: (prompt, context, options) =>
      provider.generate(prompt, context, { ...defaults, ...options }),
    stream: (prompt, context, options) =>
      provider.stream(prompt, context, { ...defaults, ...options }),
    // The provider belongs to the server.
    dispose: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

function describe(event: BatchEvent, cwd: string): string | undefined {
  switch (event.type) {
    case 'step-started':
      return `${event.stepId}: started`;
    case 'step-finished':
      return `${event.stepId}: ${event.report.state}`;
    case 'step-progress': {
      const activity = describeActivity(event.event, [cwd]);
      return activity === undefined ? undefined : `${event.stepId}: ${activity}`;
    }
    default:
      return undefined;
  }
}

/** Throws INVALID_CONFIG with everything in a plan that asks for more than the server allows. */
function assertAllowed(plan: ExpandedPlan, ceiling: CallCeiling, roots: WorkspaceRoots): void {
  const problems = plan.steps.flatMap((step) =>
    findProblems(step, ceiling, roots).map(({ key, ...rest }) => {
      return { key: `${step.id}.${key}`, ...rest };
    }),
  );
  const { finish = {} } = plan;
  if (Object.values(finish).some((value) => value !== undefined) && ceiling.shell !== 'all') {
    const problem = 'runs commands: start the server with --approval-mode yolo to allow them';
    problems.push(toProblem(['onFinish'], '(commands)', problem));
  }
  if (problems.length > 0) throw invalidConfig(problems);
}

function findProblems(
  { config, expects, promptFile, inputs }: PlannedStep,
  ceiling: CallCeiling,
  roots: WorkspaceRoots,
): ConfigProblem[] {
  const unknown = Object.keys(config).filter((key) => !STEP_KEYS.has(key));
  const { workingDir, includeDirectories, systemPrompt } = config;
  const file =
    typeof systemPrompt === 'object' ? Reflect.get(systemPrompt ?? {}, 'file') : undefined;
  const paths: readonly unknown[] = [
    workingDir,
    promptFile,
    file,
    ...inputs,
    ...(Array.isArray(includeDirectories) ? includeDirectories : []),
  ];
  return [
    ...unknown.map((key) =>
      toProblem([key], '(hidden)', 'is decided by the server, not by a plan'),
    ),
    ...ceiling.findProblems(config),
    ...ceiling.findCommandProblems(expects?.command, true),
    ...paths.flatMap((path) => {
      if (typeof path !== 'string' || roots.contains(path)) return [];
      return toProblem(['path'], path, 'leads out of the folders that this server may work in');
    }),
  ];
}
