import { ProviderError } from '../../base/errors/provider-error.js';
import { renderStepReference, type StepReference } from './step-reference.js';
import { parseTemplate } from './template.js';

/** What a step has brought about, as far as prompts can refer to it. */
export interface StepAnswer {
  readonly text: string;
  readonly files: readonly string[];
  readonly data?: unknown;
}

/**
 * The prompt of a planned step as it is sent: references replaced, escaped braces as they were meant. To be called for
 * each prompt, also for one without references. Throws INVALID_INPUT where the data lacks what is referred to.
 */
export function fillStepReferences(prompt: string, resultOf: (id: string) => StepAnswer): string {
  return parseTemplate(prompt)
    .map((part) => {
      if (part.kind === 'reference') return fill(part.reference, resultOf(part.reference.id));
      return part.kind === 'variable' ? `{{${part.name}}}` : part.text;
    })
    .join('');
}

function fill(reference: StepReference, answer: StepAnswer): string {
  if (reference.field === 'text') return answer.text;
  if (reference.field === 'files') return answer.files.join('\n');
  const value = follow(answer.data, reference.path);
  if (value === undefined) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `The prompt refers to ${renderStepReference(reference)}, and the answer of that step has no such data`,
      hint: `Require it in \`expects.json\` of step ${reference.id}, or refer to something else.`,
    });
  }
  const isInside = reference.path.length > 0;
  return isInside && typeof value === 'string' ? value : JSON.stringify(value);
}

function follow(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    return isThere ? Reflect.get(value, key) : undefined;
  }, data);
}
