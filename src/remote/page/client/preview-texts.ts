/** Message with the next part of a text that a model is writing. */
export interface PreviewPart {
  readonly kind: 'text' | 'thought';
  /** Number of characters of the text before that stay. */
  readonly offset: number;
  /** What follows them. */
  readonly text: string;
}

/** Joins the parts of the texts that a model is writing. One for each stream: a new stream begins with whole texts. */
export class PreviewTexts {
  readonly #texts = new Map<PreviewPart['kind'], string>();

  /** Returns the whole text so far. Undefined if the part does not fit: the stream must then be opened again. */
  join({ kind, offset, text }: PreviewPart): string | undefined {
    const before = this.#texts.get(kind) ?? '';
    if (offset > before.length) return undefined;
    const whole = before.slice(0, offset) + text;
    this.#texts.set(kind, whole);
    return whole;
  }

  /** The text of an answer has become an entry. The next part begins a new text. */
  dropText(): void {
    this.#texts.delete('text');
  }
}
