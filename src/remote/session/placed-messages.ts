import type { RemoteMessageEntry } from '../../api/remote-entry.js';

/** A message in the log, and the message of the file that it stands for. */
export interface PlacedMessage {
  entry: RemoteMessageEntry;
  /** Undefined for a message that is not in the file any more. */
  readonly idInFile: string | undefined;
  /** Position among the messages of the log. */
  readonly index: number;
  /** True for a message of an earlier run of the server that was not found in the file yet. */
  isOld: boolean;
  /** True for a message of a turn that the CLI has forgotten: a later message with the same words is another one. */
  isSealed: boolean;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The messages of a log in order, found by their ids in the file and in the log. A session may have ten thousands of them. */
export class PlacedMessages {
  readonly #all: Writable<PlacedMessage>[] = [];
  readonly #byIdInFile = new Map<string, Writable<PlacedMessage>>();
  readonly #byMessageId = new Map<string, Writable<PlacedMessage>>();

  get all(): readonly PlacedMessage[] {
    return this.#all;
  }

  add(entry: RemoteMessageEntry, isOld: boolean): PlacedMessage {
    const idInFile = entry.messageId;
    const placed = { entry, idInFile, isOld, isSealed: false, index: this.#all.length };
    this.#all.push(placed);
    this.#byIdInFile.set(idInFile, placed);
    this.#byMessageId.set(entry.messageId, placed);
    return placed;
  }

  findInFile(idInFile: string): PlacedMessage | undefined {
    return this.#byIdInFile.get(idInFile);
  }

  findInLog(messageId: string): PlacedMessage | undefined {
    return this.#byMessageId.get(messageId);
  }

  /** Says which message of the file a message stands for. */
  setIdInFile({ index }: PlacedMessage, idInFile: string | undefined): void {
    const placed = this.#all[index];
    if (placed === undefined) return;
    const before = placed.idInFile;
    if (before !== undefined && this.#byIdInFile.get(before) === placed)
      this.#byIdInFile.delete(before);
    placed.idInFile = idInFile;
    if (idInFile !== undefined) this.#byIdInFile.set(idInFile, placed);
  }

  remove({ index }: PlacedMessage): void {
    const [placed] = this.#all.splice(index, 1);
    for (const [at, later] of this.#all.slice(index).entries()) later.index = index + at;
    if (placed === undefined) return;
    this.#byMessageId.delete(placed.entry.messageId);
    if (placed.idInFile !== undefined && this.#byIdInFile.get(placed.idInFile) === placed)
      this.#byIdInFile.delete(placed.idInFile);
  }
}
