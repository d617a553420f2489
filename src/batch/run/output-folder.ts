import { createWriteStream, type WriteStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { AgentEvent } from '../../api/agent-event.js';
import type { BatchReport, StepReport } from '../../api/batch-report.js';
import { hasErrno } from '../../base/errors/errno.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { writeAtomically } from '../../base/fs/write-atomically.js';
import { renderReportPage } from '../report/render-report-page.js';
import { safeName } from './safe-name.js';

/** Mode of the folder: prompts, answers and files in it are readable by the owner only. */
const PRIVATE = 0o700;

const EVERYTHING = '*\n';
/** Content of `.gitignore` in a folder that already holds other files. */
const OUR_FILES = [
  '.gitignore',
  'ledger*.jsonl*',
  'files-before.json*',
  'manifest.json',
  'report.json',
  'report.html',
  'state/',
  'steps/',
  'steps-*/',
]
  .map((name) => `/${name}\n`)
  .join('');

/** Output folder of a batch (`--out`): ledger, state, a folder for each step, and the reports. */
export class OutputFolder {
  readonly #path: string;
  readonly #streams = new Map<string, WriteStream>();

  constructor(path: string) {
    this.#path = path;
  }

  get ledgerFile(): string {
    return join(this.#path, 'ledger.jsonl');
  }

  get baselineFile(): string {
    return join(this.#path, 'files-before.json');
  }

  get stateDir(): string {
    return join(this.#path, 'state');
  }

  get #stepsFolder(): string {
    return join(this.#path, 'steps');
  }

  get pageFile(): string {
    return join(this.#path, 'report.html');
  }

  /**
   * Creates the folder with a `.gitignore`, so that steps neither see nor merge its files if it lies in a repository.
   */
  async create(): Promise<void> {
    const isNew = (await mkdir(this.#path, { recursive: true })) !== undefined;
    // The mode is not given to mkdir, because mkdir would also apply it to parent folders that it creates.
    if (isNew) await chmod(this.#path, PRIVATE);
    const there = await readdir(this.#path);
    if (there.includes('.gitignore')) return;
    const ours = there.length === 0 ? EVERYTHING : OUR_FILES;
    await writeFile(join(this.#path, '.gitignore'), ours);
  }

  /**
   * Renames the ledger and the step folders of earlier runs and removes the baseline, for a start from the beginning.
   */
  async archive(): Promise<void> {
    const time = Date.now();
    await renameIfThere(this.ledgerFile, this.ledgerFile.replace(/\.jsonl$/, `-${time}.jsonl`));
    await renameIfThere(this.#stepsFolder, `${this.#stepsFolder}-${time}`);
    await rm(this.baselineFile, { force: true });
  }

  /** Opens `events.jsonl` of a step for an attempt. Events of earlier attempts stay in the file. */
  async beginStep(id: string): Promise<void> {
    const folder = await this.#stepFolder(id);
    const stream = createWriteStream(join(folder, 'events.jsonl'), { flags: 'a' });
    // A failed write of events is ignored: it must not fail the step.
    stream.on('error', () => {});
    this.#streams.set(id, stream);
  }

  addEvent(id: string, event: AgentEvent): void {
    this.#streams.get(id)?.write(`${JSON.stringify(event)}\n`);
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
    await writeFile(join(folder, 'result.json'), toJson(report));
    const patch = join(folder, 'diff.patch');
    await (diffs.length > 0 ? writeFile(patch, diffs.join('')) : rm(patch, { force: true }));
  }

  async writeReports(report: BatchReport): Promise<void> {
    const { files } = report;
    try {
      await mkdir(this.#path, { recursive: true });
      await writeAtomically(join(this.#path, 'manifest.json'), toJson({ files }));
      await writeAtomically(join(this.#path, 'report.json'), toJson(report));
      await writeAtomically(this.pageFile, renderReportPage(report));
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
    await mkdir(folder, { recursive: true });
    return folder;
  }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

async function renameIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: unknown) => {
    if (!hasErrno(error, 'ENOENT')) throw error;
  });
}
