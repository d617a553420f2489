import { constants, type WriteStream } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { AgentEvent } from '../../api/agent-event.js';
import type { BatchReport } from '../../api/batch-report.js';
import type { StepReport } from '../../api/step-report.js';
import { hasErrno } from '../../base/errors/errno.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { writeAtomically, writeWithoutSync } from '../../base/fs/write-atomically.js';
import { renderReportPage } from '../report/render-report-page.js';
import { manifestJson, reportJson } from '../report/report-json.js';
import { TranscriptReader } from '../report/transcript/transcript-reader.js';
import { readMarker, writeMarker } from '../state/batch-marker.js';
import { safeName } from './safe-name.js';

/** Mode of the folder: prompts, answers and files in it are readable by the owner only. */
const PRIVATE = 0o700;

/** O_NOFOLLOW: a link that an agent has planted must not lead the events out of the folder. O_NONBLOCK: nor a FIFO wait. */
const APPEND =
  constants.O_WRONLY |
  constants.O_CREAT |
  constants.O_APPEND |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

const EVERYTHING = '*\n';
/** Content of `.gitignore` in a folder that already holds other files. */
const OUR_FILES = [
  '.gitignore',
  '.batch/',
  'ledger*.jsonl*',
  'manifest.json*',
  'report.json*',
  'report.html*',
  'kept/',
  'steps/',
  'steps-*/',
]
  .map((name) => `/${name}\n`)
  .join('');

/** True if `.gitignore` of an output folder has the content that a batch writes. */
export function isOwnIgnoreFile(text: string): boolean {
  return text === EVERYTHING || text === OUR_FILES;
}

/** Output folder of a batch (`--out`): a folder for each step, patches that were not merged, and the reports. */
export class OutputFolder {
  readonly #path: string;
  readonly #streams = new Map<string, WriteStream>();
  readonly #transcripts: TranscriptReader;
  readonly #writing = new Set<Promise<void>>();
  #batch: string | undefined;
  /** True if the folder did not exist before. */
  #isOwn = false;

  constructor(path: string) {
    this.#path = path;
    this.#transcripts = new TranscriptReader((id) =>
      join(this.#stepsFolder, safeName(id), 'events.jsonl'),
    );
  }

  get path(): string {
    return this.#path;
  }

  /** Ledger of version 0.1.0, which had no state folder. */
  get oldLedgerFile(): string {
    return join(this.#path, 'ledger.jsonl');
  }

  /** Folder for patches of changes that were not merged. */
  get keptDir(): string {
    return join(this.#path, 'kept');
  }

  get #stepsFolder(): string {
    return join(this.#path, 'steps');
  }

  get reportFile(): string {
    return join(this.#path, 'report.json');
  }

  get pageFile(): string {
    return join(this.#path, 'report.html');
  }

  /** File with the events of a step, which grows while the step runs. */
  eventsFile(id: string): string {
    return join(this.#stepsFolder, safeName(id), 'events.jsonl');
  }

  /**
   * Creates the folder with a `.gitignore`, so that steps neither see nor merge its files if it lies in a repository.
   */
  async create(): Promise<void> {
    const isNew = (await mkdir(this.#path, { recursive: true })) !== undefined;
    // The mode is not given to mkdir, because mkdir would also apply it to parent folders that it creates.
    if (isNew) this.#isOwn = true;
    // A folder of this batch that was removed may have been created again by its lease.
    if (this.#isOwn) await chmod(this.#path, PRIVATE);
    const there = await readdir(this.#path);
    if (there.includes('.gitignore')) return;
    const ours = there.length === 0 || this.#isOwn ? EVERYTHING : OUR_FILES;
    await writeFile(join(this.#path, '.gitignore'), ours);
  }

  /** Writes the id of the batch into the folder. The id comes back if the folder is removed while the batch runs. */
  async belongTo(batch: string): Promise<void> {
    await writeMarker(this.#path, batch);
    this.#batch = batch;
  }

  /**
   * Creates the folder again if it was removed while the batch runs, as `git clean -fdx` does: private, ignored by git, and
   * with the id of the batch. Without the id, the next run would not know the results of this one.
   */
  async #restore(): Promise<void> {
    if (this.#batch === undefined || (await readMarker(this.#path)).kind === 'batch') return;
    await this.create();
    await writeMarker(this.#path, this.#batch);
  }

  /** Renames the step folders and the old ledger of earlier runs, for a start from the beginning. */
  async archive(): Promise<void> {
    const time = Date.now();
    await this.archiveOldLedger(time);
    await renameIfThere(this.#stepsFolder, `${this.#stepsFolder}-${time}`);
  }

  async archiveOldLedger(time: number = Date.now()): Promise<void> {
    const renamed = this.oldLedgerFile.replace(/\.jsonl$/, `-${time}.jsonl`);
    await renameIfThere(this.oldLedgerFile, renamed);
  }

  /** Opens `events.jsonl` of a step for an attempt. Events of earlier attempts stay in the file. */
  async beginStep(id: string): Promise<void> {
    const folder = await this.#stepFolder(id);
    const file = await open(join(folder, 'events.jsonl'), APPEND).catch(() => undefined);
    const stream = file?.createWriteStream();
    // A failed open or write of events is ignored: it must not fail the step.
    stream?.on('error', () => {});
    if (stream === undefined) return;
    this.#streams.set(id, stream);
  }

  addEvent(id: string, event: AgentEvent): void {
    const receivedAt = new Date().toISOString();
    this.#streams.get(id)?.write(`${JSON.stringify({ receivedAt, ...event })}\n`);
  }

  /** Remembers a write to a folder of a step, so that the reports are written after it. The promise must not reject. */
  track(writing: Promise<void>): void {
    this.#writing.add(writing);
    void writing.then(() => this.#writing.delete(writing));
  }

  /** Closes the event files of all steps that are still open. */
  async endSteps(): Promise<void> {
    await Promise.all([...this.#streams.keys()].map((id) => this.endStep(id)));
  }

  async endStep(id: string): Promise<void> {
    const stream = this.#streams.get(id);
    this.#streams.delete(id);
    stream?.end();
    if (stream !== undefined) await finished(stream).catch(() => {});
  }

  async writeStep(report: StepReport): Promise<void> {
    const folder = await this.#stepFolder(report.id);
    const diffs = report.files.flatMap(({ diff }) => diff ?? []);
    // The ledger has the result, so that these files need no sync of their own.
    await writeWithoutSync(join(folder, 'result.json'), toJson(report));
    const patch = join(folder, 'diff.patch');
    await (diffs.length > 0 ? writeWithoutSync(patch, diffs) : rm(patch, { force: true }));
  }

  /**
   * Writes `manifest.json`, `report.json` and `report.html`. May be called again and again while the batch runs: the files
   * are written in pieces, so that other work goes on meanwhile, and transcripts of unchanged steps are not read again.
   */
  async writeReports(report: BatchReport): Promise<void> {
    try {
      await Promise.all(this.#writing);
      await this.#restore();
      await mkdir(this.#path, { recursive: true });
      await writeAtomically(join(this.#path, 'manifest.json'), manifestJson(report));
      await writeAtomically(this.reportFile, reportJson(report));
      const transcripts = await this.#transcripts.read(report);
      await writeAtomically(this.pageFile, renderReportPage(report, { transcripts }));
    } catch (cause) {
      throw new ProviderError({
        code: 'INVALID_INPUT',
        message: `Cannot write the reports to ${this.#path}`,
        hint: `${messageOf(cause)}. No result is lost: \`batch report\` creates the reports again from the ledger.`,
        cause,
      });
    }
  }

  async #stepFolder(id: string): Promise<string> {
    const folder = join(this.#stepsFolder, safeName(id));
    await this.#restore();
    await mkdir(folder, { recursive: true });
    return folder;
  }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Renames a file or folder. Does nothing if it does not exist. */
export async function renameIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: unknown) => {
    if (!hasErrno(error, 'ENOENT')) throw error;
  });
}
