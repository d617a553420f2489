import { z } from 'zod';
import { valueAt } from '../../base/json/value-at.js';
import { describeIssue } from '../../config/describe-issue.js';
import { commandsField } from '../../config/expectations-schema.js';
import { durationField, secondsField } from '../../config/fields.js';
import { maxCostField } from '../../config/prices-schema.js';
import { MOST_REPAIRS } from '../../config/schema.js';
import { findGlobProblem } from './glob-form.js';
import type { PlanPath } from './plan-source.js';
import type { ProblemList } from './problem-list.js';

const VARIABLE_NAME = /^[A-Za-z_][\w-]*$/;
/** Ids with such a part would make references such as `{{steps.ID.text}}` ambiguous. */
const AMBIGUOUS_ID = /\.(text|files|data)(\.|$)/;

const TEXT = 'must be a non-empty text';
const VARIABLE = 'must be a text, a number, true or false';
const NAME =
  'is not a valid variable name: use letters, digits, "_" and "-", with a letter or "_" first';
const FOR = 'must give each variable a glob, or a list of texts, numbers, true or false';
const NEED = 'must be an id, or { each: ID } for the element with the same values';
const WHEN = 'must be a condition as steps.check.data.ok == true; true and false are allowed too';
const COMMIT = 'must be true, false or the message of the commit';
const PROMPT = 'must be a non-empty text; in YAML, a text that begins with {{ needs quotes';

export const planText = z.string(TEXT).min(1, TEXT);
const planGlob = planText.superRefine((pattern, check) => {
  const problem = findGlobProblem(pattern);
  if (problem !== undefined) check.addIssue(problem);
});
const flag = z.boolean('must be true or false');
const variable = z.union([z.string(), z.number(), z.boolean()], { error: VARIABLE });
const variableName = z.string().regex(VARIABLE_NAME);

export function wholeNumber(least: number) {
  const problem = `must be a whole number, ${least} or more`;
  return z.int(problem).min(least, problem);
}

const variables = z.record(variableName, variable, {
  error: ({ code }) => (code === 'invalid_key' ? NAME : 'must be an object of names and values'),
});

const settings = {
  vars: variables,
  retries: wholeNumber(0),
  repair: wholeNumber(0).max(MOST_REPAIRS, `must be at most ${MOST_REPAIRS}`),
  isolation: z.enum(['shared', 'worktree', 'copy'], 'must be "shared", "worktree" or "copy"'),
  inputs: z.array(planGlob, 'must be a glob, or a list of globs'),
  continueOnError: flag,
  fallbackModel: z.array(planText, 'must be the name of a model, or a list of names'),
  commit: z.union([flag, planText], { error: COMMIT }),
};

const id = z
  .string('must be a text; a number needs quotes')
  .regex(/^[\w./-]+$/, 'may have letters (a to z), digits, ".", "_", "-" and "/" only')
  .refine((name) => !AMBIGUOUS_ID.test(name), {
    error: 'must not have a part ".text", ".files" or ".data": references end in these',
  });

export const stepSchema = z
  .object({
    ...settings,
    id,
    prompt: z.string(PROMPT).refine((prompt) => prompt.trim() !== '', { error: PROMPT }),
    promptFile: planText,
    needs: z.array(
      z.union([planText, z.strictObject({ each: planText }, NEED)], { error: NEED }),
      'must be an id, { each: ID }, or a list of these',
    ),
    when: z.union([planText, flag], { error: WHEN }),
    for: z
      .record(
        variableName,
        z.union([planGlob, z.array(variable, FOR).min(1, 'must not be an empty list')], {
          error: FOR,
        }),
        { error: ({ code }) => (code === 'invalid_key' ? NAME : FOR) },
      )
      .refine((lists) => Object.keys(lists).length > 0, { error: FOR }),
  })
  .partial();

export const defaultsSchema = z.object(settings).partial();

const limits = {
  concurrency: wholeNumber(1),
  maxTotalTokens: wholeNumber(1),
  maxCost: maxCostField,
  maxDuration: durationField,
  maxFailures: wholeNumber(1),
  maxRetries: wholeNumber(0),
  failFast: flag,
  mergeOrder: z.enum(['finish', 'plan'], 'must be "finish" or "plan"'),
};

export const limitsSchema = z.object(limits).partial();

/** Checked limits: `maxDuration` is a number of seconds. */
export type ParsedLimits = z.output<typeof limitsSchema>;

const finish = { onFinish: commandsField, onFinishTimeout: secondsField };

/** Schema of the commands at the end of a batch. */
export const finishSchema = z.object(finish).partial();

export const planSchema = z
  .object({ name: planText, vars: variables, ...limits, ...finish })
  .partial();

/** Returns the valid values and adds a problem for each other. All keys of the schema must be optional. */
export function readFields<Schema extends z.ZodObject>(
  schema: Schema,
  values: Readonly<Record<string, unknown>>,
  at: PlanPath,
  problems: ProblemList,
): z.output<Schema> {
  const parsed = schema.safeParse(values, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const wrong = new Set<unknown>();
  for (const { path, message } of parsed.error.issues) {
    const inside = path.map((part) => (typeof part === 'number' ? part : String(part)));
    problems.add([...at, ...inside], valueAt(values, inside), message);
    wrong.add(path[0]);
  }
  return schema.parse(
    Object.fromEntries(Object.entries(values).filter(([key]) => !wrong.has(key))),
  );
}
