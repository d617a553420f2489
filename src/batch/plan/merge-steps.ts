import { createEventLoopYield } from '../../base/process/yield-to-event-loop.js';
import { checkStrayVariables } from './check-stray-variables.js';
import { checkTemplate } from './check-template.js';
import { type CommitTemplate, createCommitReader } from './commit-template.js';
import { readCondition, type StepCondition } from './condition/read-condition.js';
import type { EarlierFiles } from './earlier-files.js';
import { createMatrixExpander, type MatrixCell } from './expand-matrix.js';
import type { FileFinder } from './find-files.js';
import { type GivenNeed, readNeeds } from './need-template.js';
import type { PlanPath } from './plan-source.js';
import type { ProblemList } from './problem-list.js';
import { createPromptReader, type StepPrompt } from './read-prompts.js';
import type { GivenSettings, GivenStep } from './read-steps.js';
import { createConfigReader, type StepConfig } from './step-config.js';
import { createScope, type GivenVariables, type VariableScope } from './variable-scope.js';

const STEPS_PER_YIELD = 250;
const NONE: readonly never[] = [];

export interface GivenPlan {
  readonly baseDir: string;
  readonly variables: GivenVariables;
  readonly defaults: GivenSettings;
  readonly steps: readonly GivenStep[];
  readonly readEarlier?: (() => Promise<EarlierFiles>) | undefined;
}

/** A step of the plan merged with the defaults, with its parsed prompt and the cells of its matrix. */
export interface MergedStep
  extends Omit<GivenStep, 'prompt' | 'config' | 'variables' | 'needs' | 'when' | 'commit'>,
    StepConfig {
  readonly prompt: StepPrompt;
  /** Path of the prompt in the plan. */
  readonly promptAt: PlanPath;
  readonly needs: readonly GivenNeed[];
  readonly when: StepCondition | undefined;
  readonly commit: CommitTemplate | undefined;
  readonly scope: VariableScope;
  readonly cells: readonly MatrixCell[];
}

export async function mergeSteps(
  { baseDir, variables, defaults, steps, readEarlier }: GivenPlan,
  finder: FileFinder,
  problems: ProblemList,
): Promise<readonly MergedStep[]> {
  const readConfig = createConfigReader(defaults.config, baseDir, problems);
  const readPrompt = createPromptReader(baseDir, problems);
  const readCommit = createCommitReader(defaults.commit, problems);
  const expandMatrix = createMatrixExpander(finder, problems, readEarlier);
  const eventLoop = createEventLoopYield({ every: STEPS_PER_YIELD });
  const merged: MergedStep[] = [];
  for (const step of steps) {
    await eventLoop.spend(1);
    const config = readConfig(step.config, step.at);
    const prompt = readPrompt(step);
    const promptAt = [...step.at, step.prompt === undefined ? 'promptFile' : 'prompt'];
    const scope = createScope([step.variables, defaults.variables, variables]);
    checkTemplate(prompt.parts, scope, promptAt, problems);
    checkStrayVariables(step, scope, problems);
    merged.push({
      ...step,
      ...config,
      retries: step.retries ?? defaults.retries,
      repair: step.repair ?? defaults.repair,
      isolation: step.isolation ?? defaults.isolation,
      inputs: step.inputs ?? defaults.inputs,
      expects: step.expects ?? defaults.expects,
      continueOnError: step.continueOnError ?? defaults.continueOnError,
      fallbackModel: step.fallbackModel ?? defaults.fallbackModel,
      commit: readCommit(step, scope, config.workingDir),
      needs: readNeeds(step.needs ?? NONE, step.at, scope, problems),
      when:
        step.when === undefined
          ? undefined
          : readCondition(step.when, scope, [...step.at, 'when'], problems),
      prompt,
      promptAt,
      scope,
      cells: await expandMatrix(step, config.workingDir),
    });
  }
  return merged;
}
