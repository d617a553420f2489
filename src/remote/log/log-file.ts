import { type FileHandle, open } from 'node:fs/promises';
import type { RemoteEntry } from '../../api/remote-entry.js';
import { parseLogLine } from './log-line.js';

const READ_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
/** Bytes that are read at a time, unless one entry is longer. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Called for each entry of a log that is opened, in order. */
export type EntryVisitor = (entry: RemoteEntry) => void;

/** Position of an entry in the file. */
interface Position {
  readonly seq: number;
  readonly start: number;
  readonly end: number;
}

/** The open file of a log, and where its entries are. Only the positions of entries are kept in memory. */
export class LogFile {
  readonly #file: FileHandle;
  readonly #positions: Position[] = [];
  #bytes = 0;
  #damaged = 0;

  /** Opens a log and reads it once. A line that was cut off by a crash, or damaged, is left out and counted. */
  static async open(path: string, visit: EntryVisitor = () => {}): Promise<LogFile> {
    const file = await open(path, 'a+', 0o600);
    const log = new LogFile(file);
    try {
      await log.#readAll(visit);
      return log;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Size of the file. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Number of lines that could not be read. */
  get damaged(): number {
    return this.#damaged;
  }

  /** Number of the last entry, 0 for an empty log. */
  get lastSeq(): number {
    return this.#positions.at(-1)?.seq ?? 0;
  }

  /**
   * Adds lines at the end of the file. After a failed write, the file may end in a part of a line.
   *
   * @param seqs numbers of the entries of the lines
   * @param isTorn true if the write before has failed
   */
  async append(lines: readonly string[], seqs: readonly number[], isTorn: boolean): Promise<void> {
    const text = lines.join('');
    await this.#file.appendFile((isTorn ? '\n' : '') + text);
    // A failed write may have left a part of its lines, which are left out when the log is read.
    if (isTorn) this.#bytes = (await this.#file.stat()).size - Buffer.byteLength(text);
    for (const [index, line] of lines.entries()) {
      const start = this.#bytes;
      this.#bytes += Buffer.byteLength(line);
      this.#positions.push({ seq: seqs[index] ?? 0, start, end: this.#bytes });
    }
  }

  async sync(): Promise<void> {
    await this.#file.datasync();
  }

  /**
   * Returns up to `limit` entries after a number, in order. Entries with long texts are fewer at a time, so that they do not fill the
   * memory. None are returned only after the last one.
   */
  async read(afterSeq: number, limit: number): Promise<readonly RemoteEntry[]> {
    for (let first = this.#findAfter(afterSeq); ; ) {
      const wanted = takeBytes(this.#positions.slice(first, first + limit), MOST_BYTES);
      const [from, to] = [wanted[0], wanted.at(-1)];
      if (from === undefined || to === undefined) return [];
      const buffer = Buffer.alloc(to.end - from.start);
      await this.#readFully(buffer, from.start);
      const entries = wanted.flatMap(({ start, end }) => {
        const line = buffer.toString('utf8', start - from.start, end - from.start - 1);
        return parseLogLine(line) ?? [];
      });
      // Lines that were damaged after the log was opened are left out.
      if (entries.length > 0) return entries;
      first += wanted.length;
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #readAll(visit: EntryVisitor): Promise<void> {
    let start = 0;
    let rest = Buffer.alloc(0);
    const take = (line: string, end: number): void => {
      const entry = parseLogLine(line);
      // A number that does not grow comes from a file that was put together by hand: the entry has no place in the order.
      if (entry === undefined || entry.seq <= this.lastSeq) this.#damaged++;
      else {
        this.#positions.push({ seq: entry.seq, start, end });
        visit(entry);
      }
      start = end;
    };
    const chunk = Buffer.alloc(READ_BYTES);
    for (let offset = 0; ; ) {
      const { bytesRead } = await this.#file.read(chunk, 0, READ_BYTES, offset);
      if (bytesRead === 0) break;
      offset += bytesRead;
      let data = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
      for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE)) {
        take(data.toString('utf8', 0, end), start + end + 1);
        data = data.subarray(end + 1);
      }
      rest = Buffer.from(data);
    }
    this.#bytes = start + rest.length;
    if (rest.length === 0) return;
    // The newline ends a line that a crash has cut off, so that the next entry begins a line of its own.
    await this.#file.appendFile('\n');
    this.#bytes++;
    this.#damaged++;
  }

  async #readFully(buffer: Buffer, position: number): Promise<void> {
    for (let done = 0; done < buffer.length; ) {
      const { bytesRead } = await this.#file.read(
        buffer,
        done,
        buffer.length - done,
        position + done,
      );
      if (bytesRead === 0) throw new Error('The log of a session is shorter than before');
      done += bytesRead;
    }
  }

  /** Returns the index of the first position whose number is above `seq`. */
  #findAfter(seq: number): number {
    let low = 0;
    let high = this.#positions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#positions[middle]?.seq ?? 0) > seq) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Returns the first positions that are not longer than `most` together, one at least. */
function takeBytes(positions: readonly Position[], most: number): readonly Position[] {
  const start = positions[0]?.start ?? 0;
  const count = positions.findIndex(({ end }, index) => index > 0 && end - start > most);
  return count < 0 ? positions : positions.slice(0, count);
}
