import type { StepState } from '../../api/step-report.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { renderStepReference, type StepReference } from './step-reference.js';
import { parseTemplate } from './template.js';

/** Parts of a step's result that prompts of other steps can refer to. */
export interface StepAnswer {
  readonly text: string;
  readonly files: readonly string[];
  readonly data?: unknown;
  /** State of the step. Absent for a step that succeeded. */
  readonly state?: StepState | undefined;
  /** Code and message of the error of a failed step. */
  readonly error?: string | undefined;
}

/**
 * Returns the prompt of a planned step as it is sent: replaces references to steps and removes the escapes of braces. A
 * prompt without references needs the call too, because of the escapes. Throws INVALID_INPUT if a reference names data
 * that the answer does not have.
 */
export function fillStepReferences(prompt: string, answerOf: (id: string) => StepAnswer): string {
  return parseTemplate(prompt)
    .map((part) => {
      if (part.kind === 'reference') return fill(part.reference, answerOf(part.reference.id));
      return part.kind === 'variable' ? `{{${part.name}}}` : part.text;
    })
    .join('');
}

function fill(reference: StepReference, answer: StepAnswer): string {
  if (reference.field === 'text') return answer.text;
  if (reference.field === 'files') return answer.files.join('\n');
  const { state = 'succeeded', error = '' } = answer;
  if (reference.field === 'state') return state;
  if (reference.field === 'error') return error;
  const value = followPath(answer.data, reference.path);
  // A step that failed or was skipped has an empty result.
  if (value === undefined && state !== 'succeeded') return '';
  if (value === undefined) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `The prompt refers to ${renderStepReference(reference)}, but the answer of step ${reference.id} has no such data`,
      hint: `Require the data in \`expects.json\` of step ${reference.id}, or change the reference.`,
    });
  }
  const isInside = reference.path.length > 0;
  return isInside && typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the value at a path inside data, or undefined if there is none. */
export function followPath(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    const hasKey = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    return hasKey ? Reflect.get(value, key) : undefined;
  }, data);
}
