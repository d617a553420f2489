import { relative } from 'node:path';
import type { ExpandedPlan, PlannedStep } from '../../api/batch-plan.js';
import { toSlashes } from '../../base/fs/paths.js';
import { countOf } from '../../base/text/count-of.js';
import { describeExpectations } from './describe-expectations.js';
import { describeSettings } from './describe-settings.js';
import { orderSteps } from './order-steps.js';
import { renderStepReference } from './step-reference.js';
import { parseTemplate } from './template.js';

const LONGEST_PROMPT = 100;
const MOST_NEEDS = 5;

/**
 * Describes the steps of a plan as plain text, each after the steps it needs. `next` says what a run would do with a
 * step.
 */
export function describePlan(
  plan: ExpandedPlan,
  next: (id: string) => string | undefined = () => undefined,
): string {
  const steps = orderSteps(plan.steps);
  const limits = Object.entries(plan.limits)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} ${value}`);
  const lines = [`${plan.name}: ${countOf(steps.length, 'step')}`];
  if (limits.length > 0) lines.push(`limits: ${limits.join(', ')}`);
  const width = String(steps.length).length;
  for (const [index, step] of steps.entries()) {
    lines.push('', `${String(index + 1).padStart(width)}. ${step.id}`);
    const outlook = next(step.id);
    if (outlook !== undefined) lines.push(`${' '.repeat(width + 2)}next: ${outlook}`);
    for (const [name, text] of describeStep(step, plan.baseDir)) {
      lines.push(`${' '.repeat(width + 2)}${name}: ${text}`);
    }
  }
  return `${lines.map(toOneLine).join('\n')}\n`;
}

function* describeStep(step: PlannedStep, baseDir: string): Generator<readonly [string, string]> {
  const { needs, expects, isolation, retries, repair, config, inputs } = step;
  yield ['prompt', describePrompt(step.prompt)];
  if (needs.length > 0) yield ['needs', describeNeeds(needs)];
  if (step.when !== undefined) yield ['when', step.when];
  const folder = toSlashes(relative(baseDir, String(config['workingDir'])));
  if (folder !== '') yield ['folder', folder];
  yield ['isolation', isolation];
  const { workingDir: _, ...others } = config;
  const settings = describeSettings(others, baseDir);
  if (settings.length > 0) yield ['settings', settings.join(' · ')];
  if (inputs.length > 0) yield ['inputs', describeInputs(inputs, baseDir)];
  const expected = expects === undefined ? '' : describeExpectations(expects);
  if (expected !== '') yield ['expects', expected];
  yield [
    'attempts',
    repair === 0 ? `${retries + 1}` : `${retries + 1} (repairs per attempt: ${repair})`,
  ];
  if (step.fallbackModels !== undefined) {
    yield ['fallback models', step.fallbackModels.join(', ')];
  }
  if (step.commit !== undefined) {
    yield ['commit', step.commit === true ? 'yes' : describePrompt(step.commit)];
  }
  if (step.continueOnError === true) yield ['on error', 'the batch goes on'];
}

function describePrompt(prompt: string): string {
  const [line = ''] = prompt.trimStart().split('\n', 1);
  const text = parseTemplate(line)
    .map((part) => {
      if (part.kind === 'reference') return renderStepReference(part.reference);
      return part.kind === 'variable' ? `{{${part.name}}}` : part.text;
    })
    .join('')
    .trimEnd();
  return text.length > LONGEST_PROMPT ? `${text.slice(0, LONGEST_PROMPT)}…` : text;
}

function describeInputs(inputs: readonly string[], baseDir: string): string {
  return describeNeeds(inputs.map((path) => toSlashes(relative(baseDir, path))));
}

function describeNeeds(needs: readonly string[]): string {
  const shown = needs.slice(0, MOST_NEEDS).join(', ');
  const more = needs.length - MOST_NEEDS;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** Replaces control characters: a file name in an id may hold line breaks and escape sequences of the terminal. */
function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?');
}
