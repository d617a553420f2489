const SLOTS = 2 ** 20;
const LENGTH = 3;

/** Which runs of three characters occur in many texts: most words that are in none of them need no search. */
export class TrigramFilter {
  readonly #slots = new Uint8Array(SLOTS);

  add(text: string): void {
    for (let at = 0; at + LENGTH <= text.length; at++) this.#slots[slotOf(text, at)] = 1;
  }

  /** False only where no text contains it. */
  mayContain(word: string): boolean {
    for (let at = 0; at + LENGTH <= word.length; at++) {
      if (this.#slots[slotOf(word, at)] === 0) return false;
    }
    return true;
  }
}

function slotOf(text: string, at: number): number {
  const mixed = (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2);
  return mixed % SLOTS;
}
