import type { RemoteChange } from '../../api/remote-control.js';

/** A preview is sent at most this often. */
const PREVIEW_MS = 80;

type Preview = RemoteChange & { type: 'preview' };

/**
 * Sends the text that a model is writing to one device. A message holds what is new: the device keeps the first `offset` characters of
 * the text before, and `text` follows them. A long answer so costs its own length, and not the sum of its beginnings.
 */
export class PreviewSender {
  readonly #send: (message: object) => void;
  /** Previews that are sent soon: the last one of each kind. */
  readonly #waiting = new Map<Preview['kind'], Preview>();
  /** Texts that the device has. */
  readonly #sent = new Map<Preview['kind'], string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (message: object) => void) {
    this.#send = send;
  }

  take(preview: Preview): void {
    this.#waiting.set(preview.kind, preview);
    // The end of a preview goes with the entry that replaces it: the same text must not be shown twice.
    if (preview.text === '') this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), PREVIEW_MS);
  }

  /** The text of an answer has become an entry: what waits is older, and the device drops what it shows. */
  dropText(): void {
    this.#waiting.delete('text');
    this.#sent.delete('text');
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { type, sessionId, kind, text } of this.#waiting.values()) {
      const before = this.#sent.get(kind) ?? '';
      // Each look at an idle session says that nothing is being written.
      if (text === before) continue;
      const offset = countShared(before, text);
      this.#send({ type, sessionId, kind, offset, text: text.slice(offset) });
      this.#sent.set(kind, text);
    }
    this.#waiting.clear();
  }
}

/** Returns the number of characters with which both texts begin. */
function countShared(before: string, text: string): number {
  if (text.startsWith(before)) return before.length;
  let count = 0;
  while (count < before.length && before[count] === text[count]) count++;
  return count;
}
