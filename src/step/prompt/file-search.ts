import type { EventLoopYield } from '../../base/process/yield-to-event-loop.js';

const SLOTS = 2 ** 20;
const TRIGRAM = 3;

/** Search for words in the paths of a workspace. */
export interface FileSearch {
  finds(word: string): Promise<boolean>;
}

export async function createFileSearch(
  paths: readonly string[],
  eventLoop: EventLoopYield,
): Promise<FileSearch> {
  const folded: string[] = [];
  const filter = new TrigramFilter();
  for (const path of paths) {
    const name = foldCase(path);
    folded.push(name);
    filter.add(name);
    await eventLoop.spend(name.length);
  }
  return {
    finds: async (word) => {
      const pieces = foldCase(word).split('*');
      if (!pieces.every((piece) => filter.mayContain(piece))) return false;
      await eventLoop.spend(folded.length * pieces.length);
      return folded.some((path) => containsInOrder(path, pieces));
    },
  };
}

/**
 * Matches like the pattern `**` + `/*word*`: the word lies in one path segment or spans only its own slashes, and each
 * `*` stands for any text. A regular expression with many stars would take far too long. Trying the first match of
 * every piece but the last, and the last match of the last piece, is enough.
 */
function containsInOrder(path: string, pieces: readonly string[]): boolean {
  const last = pieces.at(-1) ?? '';
  const lastAt = path.lastIndexOf(last);
  if (lastAt === -1 || path.includes('/', lastAt + last.length)) return false;
  let from = 0;
  for (const piece of pieces.slice(0, -1)) {
    const at = path.indexOf(piece, from);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return from <= lastAt;
}

/** Converts to lower, then to upper case, because some pairs differ in one of the two: `ς` and `σ`, `ẞ` and `ß`. */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}

/**
 * Filter of all sequences of three characters in the paths. Most words that are in no path need no search.
 * Exported for its test.
 */
export class TrigramFilter {
  readonly #slots = new Uint8Array(SLOTS);

  add(text: string): void {
    for (let at = 0; at + TRIGRAM <= text.length; at++) this.#slots[slotOf(text, at)] = 1;
  }

  /** False only if no text contains the word. */
  mayContain(word: string): boolean {
    for (let at = 0; at + TRIGRAM <= word.length; at++) {
      if (this.#slots[slotOf(word, at)] === 0) return false;
    }
    return true;
  }
}

function slotOf(text: string, at: number): number {
  const mixed = (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2);
  return mixed % SLOTS;
}
