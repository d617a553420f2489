import { refusal } from './refusal.js';

const MOST_CHARACTERS = 200;
/** The name becomes a word of a command of the CLI. */
const NAME = /^[\w.:/@-]+$/;

/** Throws INVALID_INPUT for a text that cannot be the name of a model. */
export function assertModelName(model: string): void {
  if (model.length > MOST_CHARACTERS || !NAME.test(model))
    throw refusal('The name of the model is not valid');
}
