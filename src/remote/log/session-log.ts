import type { RemoteEntry, RemoteEntryContent, RemoteSource } from '../../api/remote-entry.js';
import { type EntryVisitor, LogFile } from './log-file.js';
import { formatLogLine } from './log-line.js';

/** Time after the last use for which the file of a session of the past stays open. */
const REST_MS = 60_000;

interface Unwritten {
  readonly entry: RemoteEntry;
  readonly line: string;
}

/**
 * Log of one session: a file to which entries are added and in which nothing is ever changed. The file of a session that has
 * ended is closed while no device reads it: a server may know hundreds of them.
 */
export class SessionLog {
  readonly #path: string;
  #file: Promise<LogFile> | undefined;
  #lastSeq: number;
  #bytes: number;
  #isKept = true;
  #restTimer: NodeJS.Timeout | undefined;
  /** Reads and writes of the file that are under way. */
  #uses = 0;
  #writing: Promise<void> = Promise.resolve();
  #isScheduled = false;
  #isClosed = false;
  /** True after a failed write: the file may end in a part of a line. */
  #isTorn = false;
  /** Entries that are not in the file yet. */
  #unwritten: Unwritten[] = [];

  /** Opens a log and reads it once. */
  static async open(path: string, visit?: EntryVisitor): Promise<SessionLog> {
    const file = await LogFile.open(path, visit);
    return new SessionLog(path, file.lastSeq, file.bytes, Promise.resolve(file));
  }

  /** Returns a log whose file is opened when it is needed. Its last number and its size must be known. */
  static atRest(path: string, lastSeq: number, bytes: number): SessionLog {
    const log = new SessionLog(path, lastSeq, bytes);
    log.keep(false);
    return log;
  }

  private constructor(path: string, lastSeq: number, bytes: number, file?: Promise<LogFile>) {
    this.#path = path;
    this.#lastSeq = lastSeq;
    this.#bytes = bytes;
    this.#file = file;
  }

  /** Number of the last entry, 0 for an empty log. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Size of the file after the last write. */
  get bytes(): number {
    return this.#bytes;
  }

  /** True if entries are not in the file yet. */
  get isBehind(): boolean {
    return this.#unwritten.length > 0;
  }

  /** Keeps the file open, or closes it a while after its last use. */
  keep(isKept: boolean): void {
    this.#isKept = isKept;
    this.#restLater();
  }

  /** Adds an entry. It is visible to readers at once, and written soon. */
  add(content: RemoteEntryContent, source: RemoteSource): RemoteEntry {
    this.#lastSeq++;
    const entry = { seq: this.#lastSeq, at: new Date().toISOString(), source, content };
    this.#unwritten.push({ entry, line: formatLogLine(entry) });
    this.#writeSoon();
    return entry;
  }

  /** Waits until all entries are on the disk. Throws if they cannot be written. */
  async sync(): Promise<void> {
    if (this.isBehind) this.#writeSoon();
    await this.#writing;
    await this.#use((file) => file.sync());
  }

  /** Returns up to `limit` entries after a number, in order. */
  async read(afterSeq: number, limit: number): Promise<readonly RemoteEntry[]> {
    if (afterSeq >= this.#lastSeq) return [];
    // Entries that are written meanwhile are in both lists.
    const unwritten = this.#unwritten.map(({ entry }) => entry);
    const { entries, lastWritten } = await this.#use(async (file) => ({
      lastWritten: file.lastSeq,
      entries: await file.read(afterSeq, limit),
    }));
    const last = entries.at(-1)?.seq ?? afterSeq;
    // The file has more: what is not written yet comes after that.
    if (entries.length > 0 && last < lastWritten) return entries;
    return [...entries, ...unwritten.filter(({ seq }) => seq > last)].slice(0, limit);
  }

  /** Writes what waits and closes the file for good: later entries are not written, because another server may use the file. */
  async close(): Promise<void> {
    clearTimeout(this.#restTimer);
    if (this.isBehind) this.#writeSoon();
    await this.#writing.catch(() => {});
    this.#isClosed = true;
    const file = this.#file;
    this.#file = undefined;
    await (await file?.catch(() => undefined))?.close();
  }

  /** Writes what waits. After a failed write, such as on a full disk, the next entry or `sync` tries again. */
  #writeSoon(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#writing = this.#writing
      .catch(() => {})
      .then(() => {
        this.#isScheduled = false;
        return this.#use((file) => this.#write(file));
      });
    // A failed write is reported to those who wait in `sync`.
    this.#writing.catch(() => {});
  }

  async #write(file: LogFile): Promise<void> {
    const written = [...this.#unwritten];
    const isTorn = this.#isTorn;
    this.#isTorn = true;
    const lines = written.map(({ line }) => line);
    const seqs = written.map(({ entry }) => entry.seq);
    await file.append(lines, seqs, isTorn);
    this.#isTorn = false;
    this.#bytes = file.bytes;
    this.#unwritten = this.#unwritten.slice(written.length);
  }

  async #use<T>(act: (file: LogFile) => Promise<T>): Promise<T> {
    this.#uses++;
    try {
      return await act(await this.#open());
    } finally {
      this.#uses--;
      this.#restLater();
    }
  }

  #open(): Promise<LogFile> {
    if (this.#isClosed) return Promise.reject(new Error('The log is closed'));
    const opening = this.#file ?? LogFile.open(this.#path);
    this.#file = opening;
    opening.catch(() => {
      if (this.#file === opening) this.#file = undefined;
    });
    return opening;
  }

  #restLater(): void {
    clearTimeout(this.#restTimer);
    if (this.#isKept || this.#file === undefined) return;
    this.#restTimer = setTimeout(() => this.#rest(), REST_MS);
    this.#restTimer.unref();
  }

  #rest(): void {
    const file = this.#file;
    if (this.#isKept || this.#uses > 0 || this.isBehind) return;
    this.#file = undefined;
    void file?.then((open) => open.close()).catch(() => {});
  }
}
