import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { TextDeltaEvent, TextEvent } from '../../api/agent-event.js';
import { NAMESPACE } from './to-json.js';

interface Block {
  readonly id: string;
  readonly kind: 'text' | 'reasoning';
  readonly parentCallId: string | undefined;
}

/** Maps texts to blocks: one is open at a time, and each is started and ended exactly once. */
export class TextParts {
  readonly #isHidden: boolean;
  #block: Block | undefined;
  #count = 0;
  #text = '';
  #isNextTurn = false;

  /** @param isHidden true if the answer is withheld, because a checked object replaces it */
  constructor(isHidden: boolean) {
    this.#isHidden = isHidden;
  }

  /** Text of the answer that was sent so far. */
  get sent(): string {
    return this.#text;
  }

  accept({
    text,
    textKind,
    parentCallId,
  }: TextEvent | TextDeltaEvent): LanguageModelV3StreamPart[] {
    // Text of a sub-agent is no part of the answer: it is shown as a thought.
    const kind = textKind === 'text' && parentCallId === undefined ? 'text' : 'reasoning';
    if (text === '' || (kind === 'text' && this.#isHidden)) return [];
    if (kind === 'reasoning') return this.#add(kind, text, parentCallId);
    // The answers of two turns have an empty line between them, as in the text of the result.
    const separator = this.#isNextTurn && this.#text !== '' ? '\n\n' : '';
    this.#isNextTurn = false;
    this.#text += separator + text;
    return this.#add(kind, separator + text, undefined);
  }

  /** Marks the beginning of a further turn: a repair. */
  beginTurn(): LanguageModelV3StreamPart[] {
    this.#isNextTurn = true;
    return this.close();
  }

  /** Sends a whole text as a block of its own, hidden or not. */
  addWhole(text: string): LanguageModelV3StreamPart[] {
    if (text === '') return [];
    this.#text += text;
    return [...this.close(), ...this.#add('text', text, undefined), ...this.close()];
  }

  /** Forgets the text so far: the step has begun again on another worker. */
  restart(): LanguageModelV3StreamPart[] {
    this.#text = '';
    this.#isNextTurn = false;
    return this.close();
  }

  close(): LanguageModelV3StreamPart[] {
    const block = this.#block;
    this.#block = undefined;
    return block === undefined ? [] : [{ type: `${block.kind}-end`, id: block.id }];
  }

  #add(
    kind: Block['kind'],
    delta: string,
    parentCallId: string | undefined,
  ): LanguageModelV3StreamPart[] {
    const isSame = this.#block?.kind === kind && this.#block.parentCallId === parentCallId;
    const before = isSame ? [] : [...this.close(), this.#open(kind, parentCallId)];
    return [...before, { type: `${kind}-delta`, id: this.#block?.id ?? '', delta }];
  }

  #open(kind: Block['kind'], parentCallId: string | undefined): LanguageModelV3StreamPart {
    this.#count += 1;
    const id = String(this.#count);
    this.#block = { id, kind, parentCallId };
    const owner =
      parentCallId === undefined ? {} : { providerMetadata: { [NAMESPACE]: { parentCallId } } };
    return { type: `${kind}-start`, id, ...owner };
  }
}
