import { relative } from 'node:path';
import type { ExpandedPlan, PlannedStep } from '../../api/batch-plan.js';
import { toSlashes } from '../../base/fs/paths.js';
import { countOf } from '../../base/text/count-of.js';
import { describeExpectations } from './describe-expectations.js';
import { orderSteps } from './order-steps.js';
import { renderStepReference } from './step-reference.js';
import { parseTemplate } from './template.js';

const LONGEST_PROMPT = 100;
const MOST_NEEDS = 5;

/** Describes the steps that a plan would run as plain text, each after the steps it needs. */
export function describePlan(plan: ExpandedPlan): string {
  const steps = orderSteps(plan.steps);
  const limits = Object.entries(plan.limits)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} ${value}`);
  const lines = [`${plan.name}: ${countOf(steps.length, 'step')}`];
  if (limits.length > 0) lines.push(`limits: ${limits.join(', ')}`);
  const width = String(steps.length).length;
  for (const [index, step] of steps.entries()) {
    lines.push('', `${String(index + 1).padStart(width)}. ${step.id}`);
    for (const [name, text] of describeStep(step, plan.baseDir)) {
      lines.push(`${' '.repeat(width + 2)}${name}: ${text}`);
    }
  }
  return `${lines.map(toOneLine).join('\n')}\n`;
}

function* describeStep(step: PlannedStep, baseDir: string): Generator<readonly [string, string]> {
  const { needs, expects, isolation, retries, repair, config } = step;
  yield ['prompt', describePrompt(step.prompt)];
  if (needs.length > 0) yield ['needs', describeNeeds(needs)];
  if (step.when !== undefined) yield ['when', step.when];
  const folder = toSlashes(relative(baseDir, String(config['workingDir'])));
  if (folder !== '') yield ['folder', folder];
  yield ['isolation', isolation];
  const expected = expects === undefined ? '' : describeExpectations(expects);
  if (expected !== '') yield ['expects', expected];
  yield [
    'attempts',
    repair === 0 ? `${retries + 1}` : `${retries + 1} (repairs per attempt: ${repair})`,
  ];
  if (step.fallbackModels !== undefined) {
    yield ['fallback models', step.fallbackModels.join(', ')];
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

function describeNeeds(needs: readonly string[]): string {
  const shown = needs.slice(0, MOST_NEEDS).join(', ');
  const more = needs.length - MOST_NEEDS;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** Replaces control characters: a file name in an id may hold line breaks and escape sequences of the terminal. */
function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?');
}
