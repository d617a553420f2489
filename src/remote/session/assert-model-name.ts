import { refusal } from './refusal.js';

const MOST_CHARACTERS = 200;

/** Throws INVALID_INPUT for a text that cannot be the name of a model. */
export function assertModelName(model: string): void {
  if (model.trim() === '' || model.length > MOST_CHARACTERS || /\s/.test(model))
    throw refusal('The name of the model is not valid');
}
