import { stat } from 'node:fs/promises';
import type { RemoteEntry } from '../../api/remote-entry.js';
import type { UnifiedMessage } from '../../api/unified-message.js';
import { getMessages } from '../../sessions/list/get-messages.js';
import { mapFileMessage } from './file-entries.js';

/** Sessions whose entries are kept: a phone and a tablet may look at one each. */
const MOST_KEPT = 2;
/** Time after the last use for which entries are kept. A device asks for the next page within seconds. */
const KEPT_MS = 60_000;

interface KeptEntries {
  /** Device, inode, size and time of the file that was read. */
  readonly version: string;
  readonly entries: Promise<readonly RemoteEntry[]>;
}

/** Entries of sessions of the past. A file is read once for all pages of its entries, and again when it has changed. */
export class PastEntries {
  readonly #read: (file: string) => Promise<readonly UnifiedMessage[]>;
  /** By path, the last used one last. */
  readonly #kept = new Map<string, KeptEntries>();
  #timer: NodeJS.Timeout | undefined;

  constructor(read: (file: string) => Promise<readonly UnifiedMessage[]> = getMessages) {
    this.#read = read;
  }

  /** Returns up to `limit` entries after a number. */
  async page(file: string, afterSeq: number, limit: number): Promise<readonly RemoteEntry[]> {
    return (await this.all(file)).slice(afterSeq, afterSeq + limit);
  }

  /** Returns all entries of a file. */
  async all(file: string): Promise<readonly RemoteEntry[]> {
    const { dev, ino, size, mtimeMs } = await stat(file);
    const version = [dev, ino, size, mtimeMs].join(' ');
    const known = this.#kept.get(file);
    const kept =
      known?.version === version ? known : { version, entries: this.#read(file).then(mapMessages) };
    this.#kept.delete(file);
    this.#kept.set(file, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#forgetLater();
    try {
      return await kept.entries;
    } catch (error) {
      if (this.#kept.get(file) === kept) this.#kept.delete(file);
      throw error;
    }
  }

  #forgetLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#kept.clear(), KEPT_MS);
    this.#timer.unref();
  }
}

function mapMessages(messages: readonly UnifiedMessage[]): readonly RemoteEntry[] {
  return messages
    .flatMap((message) => {
      const at = new Date(message.timestamp ?? 0).toISOString();
      return mapFileMessage(message).map((content) => ({ at, content, source: 'file' as const }));
    })
    .map((entry, index) => ({ ...entry, seq: index + 1 }));
}
