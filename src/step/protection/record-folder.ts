import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../../base/fs/fingerprint.js';
import { isInside } from '../../base/fs/paths.js';
import { findForeignAccess } from '../../base/fs/private-folder.js';
import { readIfThere } from '../../base/fs/read-if-there.js';
import { writeAtomically } from '../../base/fs/write-atomically.js';
import { readEnvironment } from '../../base/process/environment.js';
import { parseStepRecord, type StepRecord } from './step-record.js';

/** Writes records as text and reads them back. Decoding throws, or returns undefined, for a text that is not believed. */
export interface RecordCodec {
  encode(name: string, record: StepRecord): string;
  decode(name: string, text: string): unknown;
}

export interface RecordFolderOptions {
  readonly path: string;
  readonly codec?: RecordCodec;
  /**
   * True if the steps of these records work on copies of one workspace: a file is then known by its path relative to the
   * workspace, too.
   */
  readonly hasCopies?: boolean;
}

const PLAIN: RecordCodec = {
  encode: (_name, record) => JSON.stringify(record),
  decode: (_name, text) => JSON.parse(text),
};
const MOST_RECORDS = 200;
const OLDEST_MS = 30 * 24 * 3_600_000;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const RECORD = /^[\w-]+\.json$/;

/**
 * Folder with one record for each step that is at work, that was killed, or that has changed protected files. A process
 * writes only the records of its own steps, so that no lock is needed.
 */
export class RecordFolder {
  readonly path: string;
  readonly hasCopies: boolean;
  readonly #codec: RecordCodec;
  /** Records of steps that have ended, by file name. They do not change any more. */
  readonly #ended = new Map<string, StepRecord>();
  #isPruned = false;

  constructor({ path, codec = PLAIN, hasCopies = false }: RecordFolderOptions) {
    this.path = path;
    this.hasCopies = hasCopies;
    this.#codec = codec;
  }

  /** Reads all records. A file that is damaged, or not a record, is left out. */
  async read(): Promise<readonly StepRecord[]> {
    const names = await readdir(this.path).catch(() => []);
    if (names.length === 0 || findForeignAccess(this.path) !== undefined) return [];
    if (!this.#isPruned) await this.#prune(names);
    return names.flatMap((name) => this.#readOne(name) ?? []);
  }

  /** Writes the record of a step, or replaces it. */
  async write(record: StepRecord): Promise<void> {
    await this.#create();
    const name = nameOf(record.generationId);
    const file = join(this.path, name);
    const text = this.#codec.encode(name, record);
    // The record of a step at work is written for each step, so it is not synced. A damaged one is left out.
    if (record.before !== undefined) return writeFile(file, text, { mode: PRIVATE_FILE });
    await writeAtomically(file, text, PRIVATE_FILE);
    this.#ended.set(name, record);
    await this.#prune(await readdir(this.path));
  }

  async remove(generationId: string): Promise<void> {
    await rm(join(this.path, nameOf(generationId)), { force: true });
  }

  #readOne(name: string): StepRecord | undefined {
    const known = this.#ended.get(name);
    if (known !== undefined || !RECORD.test(name)) return known;
    const text = readIfThere(join(this.path, name));
    if (text === undefined) return undefined;
    try {
      const record = parseStepRecord(this.#codec.decode(name, text));
      if (record !== undefined && record.before === undefined) this.#ended.set(name, record);
      return record;
    } catch {
      return undefined;
    }
  }

  async #create(): Promise<void> {
    if (!existsSync(this.path)) {
      // The home itself is never created: a wrong HOME must not leave folders behind.
      const home = readEnvironment()['HOME'] || homedir();
      if (isInside(home, this.path) && !existsSync(home)) throw new Error(`${home} does not exist`);
      await mkdir(this.path, { recursive: true, mode: PRIVATE_FOLDER });
    }
    const reason = findForeignAccess(this.path);
    if (reason !== undefined) throw new Error(`${this.path} ${reason}`);
  }

  /** Removes records that are too old, and the oldest ones if there are too many. */
  async #prune(names: readonly string[]): Promise<void> {
    this.#isPruned = true;
    const files = await Promise.all(
      names.map(async (name) => {
        const { mtimeMs = 0 } = (await stat(join(this.path, name)).catch(() => undefined)) ?? {};
        return { name, mtimeMs };
      }),
    );
    files.sort((a, b) => b.mtimeMs - a.mtimeMs);
    const surplus = files.filter(({ mtimeMs }, index) => {
      return index >= MOST_RECORDS || mtimeMs < Date.now() - OLDEST_MS;
    });
    for (const { name } of surplus) {
      this.#ended.delete(name);
      await rm(join(this.path, name), { force: true }).catch(() => {});
    }
  }
}

function nameOf(generationId: string): string {
  return `${/^[\w-]{1,64}$/.test(generationId) ? generationId : sha256(generationId)}.json`;
}
