import { z } from 'zod';
import { readInput } from '../../base/errors/invalid-input.js';
import { findSizeProblem } from '../../base/json/find-size-problem.js';
import { isPlainObject } from '../../base/json/is-plain-object.js';
import { checkValues } from '../../config/check-values.js';
import { invalidConfig, toProblem } from '../../config/config-problem.js';
import { parseCondition } from './condition/parse-condition.js';
import { finishSchema, limitsSchema, wholeNumber } from './plan-schema.js';

/** Most steps of a plan from code, before its matrices are expanded. */
const MOST_STEPS = 1_000_000;
/** Most values of one step, in all its objects and lists together. */
const MOST_VALUES = 200_000;

const texts = z.array(z.string());
const expandedSchema = z.object({
  name: z.string(),
  file: z.string().optional(),
  baseDir: z.string(),
  limits: limitsSchema,
  finish: finishSchema.optional(),
  hash: z.string(),
  steps: z.array(
    z.object({
      id: z.string(),
      planId: z.string(),
      index: z.number(),
      prompt: z.string(),
      promptFile: z.string().optional(),
      needs: texts,
      tolerates: texts.optional(),
      elements: z.record(z.string(), z.string()).optional(),
      when: z.string().refine(isCondition, { error: 'must be a condition' }).optional(),
      continueOnError: z.boolean().optional(),
      fallbackModels: texts.optional(),
      commit: z.union([z.literal(true), z.string()]).optional(),
      retries: wholeNumber(0),
      repair: wholeNumber(0),
      isolation: z.enum(['shared', 'worktree', 'copy']),
      inputs: texts,
      config: z.looseObject({ workingDir: z.string() }),
      expects: z.looseObject({}).optional(),
    }),
  ),
});

/**
 * Checks a plan from code before it is read: its size, that all its values can be read, and the shape of a plan that is
 * expanded already. Throws INVALID_CONFIG.
 */
export function checkPlanInput(plan: unknown): void {
  readInput('The plan', () => check(plan), 'INVALID_CONFIG');
}

function check(plan: unknown): void {
  if (!Array.isArray(plan) && !isPlainObject(plan)) {
    const problem = 'must be a path, an object with steps, or a list of steps';
    throw invalidConfig([toProblem(['plan'], plan, problem)]);
  }
  const { steps, ...rest } = Array.isArray(plan) ? { steps: plan } : plan;
  refuseLarge('plan', rest);
  if (Array.isArray(steps)) {
    if (steps.length > MOST_STEPS)
      throw tooLarge('steps', `must not have more than ${MOST_STEPS} steps`);
    for (const [index, step] of steps.entries()) refuseLarge(`steps[${index}]`, step);
  } else {
    refuseLarge('steps', steps);
  }
  if ('hash' in plan && 'baseDir' in plan) checkExpanded(plan);
}

function isCondition(text: string): boolean {
  try {
    parseCondition(text);
    return true;
  } catch {
    return false;
  }
}

function refuseLarge(key: string, value: unknown): void {
  const problem = findSizeProblem(value, MOST_VALUES);
  if (problem !== undefined) throw tooLarge(key, problem);
}

function tooLarge(key: string, problem: string) {
  return invalidConfig([{ key, value: 'too large to be shown', problem }]);
}

function checkExpanded(plan: object): void {
  const { problems } = checkValues(expandedSchema, plan);
  if (problems.length > 0) throw invalidConfig(problems);
}
