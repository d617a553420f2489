import type { RemoteEntryContent, RemoteMessageEntry } from '../../api/remote-entry.js';
import type { SessionUpdate } from '../../api/session-update.js';
import type { UnifiedMessage } from '../../api/unified-message.js';
import { digestJson } from '../../base/json/digest-json.js';
import type { SessionSink } from '../drivers/session-driver.js';
import { mapFileMessage } from './file-entries.js';
import { FileUsage } from './file-usage.js';
import { type PlacedMessage, PlacedMessages } from './placed-messages.js';

/** Time in which the CLI finishes the rewriting of its file: it writes all lines of one change without a pause. */
const QUIET_MS = 80;

/**
 * Feeds the log of a session from the CLI's session file. The CLI rewrites its file: after a refused turn it writes all
 * earlier messages again under new ids, without thoughts and tool calls, and drops the refused one. The log keeps what was
 * there: a message that comes again is known by its content, and one that is gone is marked, not removed.
 */
export class FileFeed {
  readonly #sink: SessionSink;
  /** Messages of the file as they are now, in order. */
  readonly #inFile = new Map<string, UnifiedMessage>();
  readonly #placed = new PlacedMessages();
  /** Versions of messages that the log has. They are not compared again with each change of the file. */
  readonly #settled = new WeakSet<UnifiedMessage>();
  readonly #tools = new Map<string, RemoteEntryContent>();
  readonly #usage = new FileUsage();
  #timer: NodeJS.Timeout | undefined;

  constructor(sink: SessionSink) {
    this.#sink = sink;
  }

  /** Takes over an entry that the log has already, from an earlier run of the server. */
  restore(content: RemoteEntryContent): void {
    if (content.type === 'tool') this.#tools.set(content.callId, content);
    if (content.type === 'usage')
      this.#usage.restore({ tokens: content.tokens, costUsd: content.costUsd });
    if (content.type !== 'message') return;
    const known = this.#placed.findInLog(content.messageId);
    const placed = known ?? this.#placed.add(content, true);
    placed.entry = content;
    // The turn after which the message was dropped is over.
    placed.isSealed = content.isForgotten === true;
  }

  accept(update: SessionUpdate): void {
    switch (update.type) {
      case 'message':
        this.#inFile.set(update.message.id, update.message);
        this.#usage.accept(update.message._original);
        this.#reconcileSoon();
        return;
      case 'removed':
        for (const id of update.ids) this.#inFile.delete(id);
        this.#reconcileSoon();
        return;
      case 'status':
        this.#sink.usage(this.#usage.sum());
        if (update.model !== undefined) this.#sink.update({ model: update.model }, 'file');
        return;
      case 'problem':
        this.#notice(update.diagnostic.message);
        return;
      case 'gone':
        return;
    }
  }

  /** A turn begins. A prompt that was refused before, and is sent again with the same words, is another one. */
  beginTurn(): void {
    this.flush();
    for (const placed of this.#placed.all)
      if (placed.entry.isForgotten === true) placed.isSealed = true;
  }

  /** Returns the texts of the model since the last prompt. */
  answersOfTurn(): readonly string[] {
    const { all } = this.#placed;
    const last = all.findLastIndex(({ entry }) => entry.role === 'user');
    return all
      .slice(last + 1)
      .flatMap(({ entry }) => (entry.role === 'assistant' ? [textOf(entry)] : []));
  }

  /** Writes what has come since the last look. Called by a timer, and at the end of the session. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#reconcile();
  }

  #notice(message: string): void {
    this.#sink.add({ type: 'notice', level: 'warning', message }, 'file');
  }

  #reconcileSoon(): void {
    this.#timer ??= setTimeout(() => this.flush(), QUIET_MS);
    this.#timer.unref();
  }

  #reconcile(): void {
    this.#releaseRemoved();
    let position = 0;
    for (const message of this.#inFile.values()) {
      if (this.#settled.has(message)) {
        position = (this.#placed.findInFile(message.id)?.index ?? position - 1) + 1;
        continue;
      }
      this.#settled.add(message);
      for (const content of mapFileMessage(message)) {
        if (content.type === 'message') position = this.#place(content, position) + 1;
        else if (content.type === 'tool') this.#addTool(content);
      }
    }
    for (const placed of [...this.#placed.all]) {
      if (placed.idInFile !== undefined || placed.entry.isForgotten === true) continue;
      if (!this.#takeBack(placed)) this.#show(placed, { ...placed.entry, isForgotten: true });
    }
  }

  /**
   * Gives a message its place back if the same message was written again before the old one was removed: the later entry is
   * emptied, because an entry of the log cannot be removed.
   */
  #takeBack(placed: PlacedMessage): boolean {
    const later = this.#placed.all.find((one) => {
      const isLater = one.index > placed.index && one.idInFile !== undefined;
      return isLater && saysSame(one.entry, placed.entry);
    });
    if (later === undefined) return false;
    const { idInFile } = later;
    this.#placed.remove(later);
    this.#placed.setIdInFile(placed, idInFile);
    this.#sink.add({ ...later.entry, blocks: [] }, 'file');
    return true;
  }

  #releaseRemoved(): void {
    for (const placed of this.#placed.all) {
      const { idInFile, isOld } = placed;
      // The file is read piece by piece: a message that was not found yet may still come.
      if (isOld || idInFile === undefined) continue;
      if (!this.#inFile.has(idInFile)) this.#placed.setIdInFile(placed, undefined);
    }
  }

  /** Finds or makes the place of a message in the log. Returns its index. */
  #place(message: RemoteMessageEntry, from: number): number {
    const idInFile = message.messageId;
    const known = this.#placed.findInFile(idInFile);
    if (known !== undefined) {
      known.isOld = false;
      this.#update(known, message);
      return known.index;
    }
    const again = this.#findAgain(message, from);
    if (again !== undefined) {
      this.#placed.setIdInFile(again, idInFile);
      again.isOld = false;
      // The entry before has thoughts and model; the message that was written again has lost them.
      if (again.entry.isForgotten === true) this.#show(again, withoutMark(again.entry));
      return again.index;
    }
    this.#sink.add(message, 'file');
    return this.#placed.add(message, false).index;
  }

  /** Finds a message of the log that says the same and stands for no other message of the file. */
  #findAgain(message: RemoteMessageEntry, from: number): PlacedMessage | undefined {
    const { all } = this.#placed;
    for (let index = from; index < all.length; index++) {
      const placed = all[index];
      const isFree = placed?.idInFile === undefined || placed.isOld;
      if (placed?.isSealed === false && isFree && saysSame(placed.entry, message)) return placed;
    }
    return undefined;
  }

  #update(placed: PlacedMessage, message: RemoteMessageEntry): void {
    const entry = { ...message, messageId: placed.entry.messageId };
    const isPoorer = message.model === undefined && placed.entry.model !== undefined;
    if (!isPoorer && !isSameEntry(entry, placed.entry)) this.#show(placed, entry);
  }

  #show(placed: PlacedMessage, entry: RemoteMessageEntry): void {
    placed.entry = entry;
    this.#sink.add(entry, 'file');
  }

  #addTool(content: RemoteEntryContent & { type: 'tool' }): void {
    if (isSameEntry(this.#tools.get(content.callId), content)) return;
    this.#tools.set(content.callId, content);
    this.#sink.add(content, 'file');
  }
}

/** Compares entries as the log has them: a field without a value is not written there. */
function isSameEntry(a: RemoteEntryContent | undefined, b: RemoteEntryContent): boolean {
  return a !== undefined && digestJson(a) === digestJson(b);
}

function withoutMark({ isForgotten: _, ...entry }: RemoteMessageEntry): RemoteMessageEntry {
  return entry;
}

function saysSame(a: RemoteMessageEntry, b: RemoteMessageEntry): boolean {
  return a.role === b.role && textOf(a) === textOf(b);
}

function textOf({ blocks }: RemoteMessageEntry): string {
  return blocks.flatMap(({ type, text }) => (type === 'text' ? [text.trim()] : [])).join('\n');
}
