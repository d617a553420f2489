import { ProviderError } from '../../base/errors/provider-error.js';
import { hasText } from './read-prompt-file.js';

/**
 * Throws INVALID_INPUT if a step has a prompt and a prompt file with another text: one of them would be lost. Engines that
 * pass the text of the file as the prompt, too, may do so.
 */
export function assertOnePrompt(prompt: unknown, file: string | undefined): void {
  if (file === undefined || typeof prompt !== 'string' || prompt === '') return;
  if (hasText(file, prompt)) return;
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `The step has a prompt and the prompt file ${file}, and their texts differ`,
    hint: 'Give one of them: an empty prompt, or no context.promptFile.',
  });
}
