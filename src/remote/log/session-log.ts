import { type FileHandle, open } from 'node:fs/promises';
import type { RemoteEntry, RemoteEntryContent, RemoteSource } from '../../api/remote-entry.js';
import { formatLogLine, parseLogLine } from './log-line.js';

const READ_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** Position of an entry in the file. */
interface Position {
  readonly seq: number;
  readonly start: number;
  readonly end: number;
}

/** Called for each entry of a log that is opened, in order. */
type EntryVisitor = (entry: RemoteEntry) => void;

/**
 * Log of one session: a file to which entries are added and in which nothing is ever changed. Only the positions of entries
 * are kept in memory. A line that was cut off by a crash, or damaged, is left out and counted.
 */
export class SessionLog {
  readonly #file: FileHandle;
  readonly #positions: Position[];
  #bytes: number;
  #lastSeq: number;
  #writing: Promise<void> = Promise.resolve();
  #pending: string[] = [];
  #isScheduled = false;
  /** True after a failed write: the file may end in a part of a line. */
  #isTorn = false;
  /** Entries that are not in the file yet. */
  readonly #unwritten: RemoteEntry[] = [];
  /** Number of lines that could not be read. */
  readonly damaged: number;

  /** Opens a log and reads it once. */
  static async open(path: string, visit: EntryVisitor = () => {}): Promise<SessionLog> {
    const file = await open(path, 'a+', 0o600);
    try {
      return new SessionLog(file, await readPositions(file, visit));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  private constructor(file: FileHandle, { positions, bytes, damaged }: ReadResult) {
    this.#file = file;
    this.#positions = positions;
    this.#bytes = bytes;
    this.#lastSeq = positions.at(-1)?.seq ?? 0;
    this.damaged = damaged;
  }

  /** Number of the last entry, 0 for an empty log. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Adds an entry. It is visible to readers at once, and written soon. */
  add(content: RemoteEntryContent, source: RemoteSource): RemoteEntry {
    this.#lastSeq++;
    const entry = { seq: this.#lastSeq, at: new Date().toISOString(), source, content };
    this.#unwritten.push(entry);
    this.#pending.push(formatLogLine(entry));
    this.#writeSoon();
    return entry;
  }

  /** Waits until all entries are on the disk. Throws if they cannot be written. */
  async sync(): Promise<void> {
    if (this.#pending.length > 0) this.#writeSoon();
    await this.#writing;
    await this.#file.datasync();
  }

  /** Returns up to `limit` entries after a number, in order. */
  async read(afterSeq: number, limit: number): Promise<readonly RemoteEntry[]> {
    const first = findAfter(this.#positions, afterSeq);
    const wanted = this.#positions.slice(first, first + limit);
    const unwritten = this.#unwritten.filter(({ seq }) => seq > afterSeq);
    const [from, to] = [wanted[0], wanted.at(-1)];
    if (from === undefined || to === undefined) return unwritten.slice(0, limit);
    const buffer = Buffer.alloc(to.end - from.start);
    await readFully(this.#file, buffer, from.start);
    const entries = wanted.flatMap(({ start, end }) => {
      return parseLogLine(buffer.toString('utf8', start - from.start, end - from.start - 1)) ?? [];
    });
    const later = unwritten.filter(({ seq }) => seq > to.seq);
    return [...entries, ...later].slice(0, limit);
  }

  async close(): Promise<void> {
    if (this.#pending.length > 0) this.#writeSoon();
    await this.#writing.catch(() => {});
    await this.#file.close();
  }

  /** Writes what waits. After a failed write, such as on a full disk, the next entry or `sync` tries again. */
  #writeSoon(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#writing = this.#writing.catch(() => {}).then(() => this.#write());
    // A failed write is reported to those who wait in `sync`.
    this.#writing.catch(() => {});
  }

  async #write(): Promise<void> {
    this.#isScheduled = false;
    const lines = this.#pending;
    this.#pending = [];
    try {
      await this.#file.appendFile((this.#isTorn ? '\n' : '') + lines.join(''));
    } catch (error) {
      this.#pending = [...lines, ...this.#pending];
      this.#isTorn = true;
      throw error;
    }
    // A failed write may have left a part of its lines, which are left out when the log is read.
    if (this.#isTorn) this.#bytes = await this.#sizeBefore(lines);
    this.#isTorn = false;
    for (const line of lines) {
      const entry = this.#unwritten.shift();
      const end = this.#bytes + Buffer.byteLength(line);
      if (entry !== undefined) this.#positions.push({ seq: entry.seq, start: this.#bytes, end });
      this.#bytes = end;
    }
  }

  /** Returns the position at which the last lines of the file begin. */
  async #sizeBefore(lines: readonly string[]): Promise<number> {
    return (await this.#file.stat()).size - Buffer.byteLength(lines.join(''));
  }
}

interface ReadResult {
  readonly positions: Position[];
  readonly bytes: number;
  readonly damaged: number;
}

async function readPositions(file: FileHandle, visit: EntryVisitor): Promise<ReadResult> {
  const positions: Position[] = [];
  let damaged = 0;
  let lastSeq = 0;
  let start = 0;
  let rest = Buffer.alloc(0);
  const take = (line: string, end: number): void => {
    const entry = parseLogLine(line);
    // A number that does not grow comes from a file that was put together by hand: the entry has no place in the order.
    if (entry === undefined || entry.seq <= lastSeq) damaged++;
    else {
      positions.push({ seq: entry.seq, start, end });
      lastSeq = entry.seq;
      visit(entry);
    }
    start = end;
  };
  for (let offset = 0; ; ) {
    const chunk = Buffer.alloc(READ_BYTES);
    const { bytesRead } = await file.read(chunk, 0, READ_BYTES, offset);
    if (bytesRead === 0) break;
    offset += bytesRead;
    let data = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE)) {
      take(data.toString('utf8', 0, end), start + end + 1);
      data = data.subarray(end + 1);
    }
    rest = Buffer.from(data);
  }
  if (rest.length === 0) return { positions, bytes: start, damaged };
  // The newline ends a line that a crash has cut off, so that the next entry begins a line of its own.
  await file.appendFile('\n');
  return { positions, bytes: start + rest.length + 1, damaged: damaged + 1 };
}

async function readFully(file: FileHandle, buffer: Buffer, position: number): Promise<void> {
  for (let done = 0; done < buffer.length; ) {
    const { bytesRead } = await file.read(buffer, done, buffer.length - done, position + done);
    if (bytesRead === 0) throw new Error('The log of a session is shorter than before');
    done += bytesRead;
  }
}

/** Returns the index of the first position whose number is above `seq`. */
function findAfter(positions: readonly Position[], seq: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle]?.seq ?? 0) > seq) high = middle;
    else low = middle + 1;
  }
  return low;
}
