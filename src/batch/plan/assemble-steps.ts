import { type CommitTemplate, fillCommit } from './commit-template.js';
import { fillCondition } from './condition/read-condition.js';
import type { MatrixCell } from './expand-matrix.js';
import { createFileFinder, type FileFinder } from './find-files.js';
import { linkSteps } from './link-steps.js';
import { type GivenPlan, type MergedStep, mergeSteps } from './merge-steps.js';
import type { HashedStep } from './plan-hash.js';
import type { ProblemList } from './problem-list.js';
import { fillVariables } from './template.js';

const DEFAULT_RETRIES = 2;

/** Expands the steps of a plan into the steps that will run, with filled prompts, needs and inputs. */
export async function assembleSteps(
  plan: GivenPlan,
  problems: ProblemList,
): Promise<readonly HashedStep[]> {
  const finder = createFileFinder();
  const merged = await mergeSteps(plan, finder, problems);
  const linkable = merged.map((step) => ({
    at: step.at,
    id: step.id,
    promptAt: step.promptAt,
    needs: step.needs,
    scope: step.scope,
    cells: step.cells,
    asked: step.when?.references ?? NONE,
    references: step.prompt.parts.flatMap((part) =>
      part.kind === 'reference' ? [part.reference] : [],
    ),
    ids: step.cells.map(({ suffix }) => step.id + suffix),
    isMatrix: step.for !== undefined,
    hasData: step.expects?.json !== undefined,
  }));
  const links = linkSteps(linkable, problems);
  const planned: HashedStep[] = [];
  for (const [index, step] of merged.entries()) {
    const inputs = await findInputs(step, finder);
    const known = new Set(step.for === undefined ? [] : inputs);
    for (const [position, prompt] of fillPrompts(step, problems).entries()) {
      const cell = prompt.cell;
      const { needs = NONE, ...others } = links[index]?.(position) ?? {};
      planned.push({
        inputs: step.inputs ?? [],
        step: {
          id: step.id + cell.suffix,
          planId: step.id,
          index: planned.length,
          prompt: prompt.text,
          ...(step.prompt.file === undefined ? {} : { promptFile: step.prompt.file }),
          needs,
          ...others,
          ...conditionOf(step, cell),
          retries: step.retries ?? DEFAULT_RETRIES,
          ...(step.expects === undefined ? {} : { expects: step.expects }),
          repair: step.repair ?? 0,
          isolation: step.isolation ?? 'shared',
          ...(step.continueOnError === true ? { continueOnError: true } : {}),
          ...(step.fallbackModel === undefined ? {} : { fallbackModels: step.fallbackModel }),
          ...(step.commit === undefined ? {} : { commit: commitOf(step, step.commit, cell) }),
          // The steps of a matrix share one list where possible: thousands of steps may have thousands of inputs each.
          inputs: cell.files.every((file) => known.has(file)) ? inputs : unite(inputs, cell.files),
          config: step.config,
        },
      });
    }
  }
  return planned;
}

async function findInputs(step: MergedStep, finder: FileFinder): Promise<readonly string[]> {
  if (step.workingDir === undefined || step.inputs === undefined) return NONE;
  return finder.inputs(step.workingDir, step.inputs);
}

const NONE: readonly never[] = [];

function conditionOf({ when, scope }: MergedStep, { values }: MatrixCell) {
  if (when === undefined) return {};
  return { when: fillCondition(when, (name) => scope.read(name, values)) };
}

function commitOf({ id, scope }: MergedStep, commit: CommitTemplate, cell: MatrixCell) {
  const { suffix, values } = cell;
  return fillCommit(commit, id + suffix, (name) => String(scope.read(name, values)));
}

function unite(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])].sort();
}

function fillPrompts({ cells, prompt, scope, promptAt, id }: MergedStep, problems: ProblemList) {
  return cells.map((cell) => {
    let isFilled = prompt.parts.some(({ kind }) => kind === 'variable');
    const text = fillVariables(prompt.parts, (name) => {
      const value = scope.read(name, cell.values);
      isFilled &&= value !== undefined;
      return String(value);
    });
    if (isFilled && text.trim() === '') {
      problems.add(promptAt, id + cell.suffix, 'is empty after the variables are filled in');
    }
    return { cell, text };
  });
}
