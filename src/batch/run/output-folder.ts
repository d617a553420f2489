import { createWriteStream, type WriteStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { AgentEvent } from '../../api/agent-event.js';
import type { BatchReport, StepReport } from '../../api/batch-report.js';
import { hasErrno } from '../../base/errors/errno.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { renderReportPage } from '../report/render-report-page.js';
import { safeName } from './safe-name.js';

/** What steps have said and written is nobody else's business. */
const PRIVATE = 0o700;

const EVERYTHING = '*\n';
/** In a folder that holds something else too. */
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

/** The folder of a batch: what each step did, and the reports. */
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

  /** What we write is no part of the project that it may lie in: no step is to see or to merge it. */
  async create(): Promise<void> {
    const isNew = (await mkdir(this.#path, { recursive: true })) !== undefined;
    // Not by mkdir: it would close those above too, which are not ours.
    if (isNew) await chmod(this.#path, PRIVATE);
    const there = await readdir(this.#path);
    if (there.includes('.gitignore')) return;
    const ours = there.length === 0 ? EVERYTHING : OUR_FILES;
    await writeFile(join(this.#path, '.gitignore'), ours);
  }

  /** What there is of the batch so far gets other names, and is of no effect any more. */
  async putAside(): Promise<void> {
    const time = Date.now();
    await renameIfThere(this.ledgerFile, this.ledgerFile.replace(/\.jsonl$/, `-${time}.jsonl`));
    await renameIfThere(this.#stepsFolder, `${this.#stepsFolder}-${time}`);
    await rm(this.baselineFile, { force: true });
  }

  /** An attempt begins. Events of earlier ones stay. */
  async beginStep(id: string): Promise<void> {
    const folder = await this.#stepFolder(id);
    const stream = createWriteStream(join(folder, 'events.jsonl'), { flags: 'a' });
    // The step's own result is worth more than its events.
    stream.on('error', () => {});
    this.#streams.set(id, stream);
  }

  addEvent(id: string, event: AgentEvent): void {
    this.#streams.get(id)?.write(`${JSON.stringify(event)}\n`);
  }

  /** Whatever has become of the steps. */
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
    await writeJson(join(folder, 'result.json'), report);
    const patch = join(folder, 'diff.patch');
    await (diffs.length > 0 ? writeFile(patch, diffs.join('')) : rm(patch, { force: true }));
  }

  async writeReports(report: BatchReport): Promise<void> {
    const { files } = report;
    try {
      await mkdir(this.#path, { recursive: true });
      await writeJson(join(this.#path, 'manifest.json'), { files });
      await writeJson(join(this.#path, 'report.json'), report);
      await writeFile(this.pageFile, renderReportPage(report));
    } catch (cause) {
      throw new ProviderError({
        code: 'INVALID_INPUT',
        message: `The reports cannot be written to ${this.#path}`,
        hint: `${messageOf(cause)}. Nothing is lost: \`batch report\` makes them from the ledger.`,
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

function writeJson(file: string, value: unknown): Promise<void> {
  return writeFile(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

async function renameIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: unknown) => {
    if (!hasErrno(error, 'ENOENT')) throw error;
  });
}
