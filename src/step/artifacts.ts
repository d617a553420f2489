import { mkdir, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Redactor } from '../base/errors/redact.js';

const LARGEST_KEPT_BYTES = 256 * 1024 * 1024;

export interface ArtifactRequest {
  /** `true`, or the folder that gets one folder for each run. */
  readonly keep: string | true;
  readonly generationId: string;
  readonly directory: string;
  readonly moreFiles: readonly string[];
  /** How the CLI was called. */
  readonly call: object;
  readonly redactor: Redactor;
}

/** Copies the files of a run, with its secrets taken out. Gives the folder. */
export async function keepArtifacts(request: ArtifactRequest): Promise<string> {
  const { keep, generationId, redactor } = request;
  const folder =
    keep === true
      ? join(tmpdir(), `gemini-cli-provider-kept-${generationId}`)
      : resolve(keep, generationId);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(request.directory);
  const files = [...names.map((name) => join(request.directory, name)), ...request.moreFiles];
  for (const file of files) await copyRedacted(file, join(folder, basename(file)), redactor);
  const call = redactor.text(JSON.stringify({ generationId, ...request.call }, undefined, 2));
  await writeFile(join(folder, 'call.json'), call, { mode: 0o600 });
  return folder;
}

async function copyRedacted(from: string, to: string, redactor: Redactor): Promise<void> {
  try {
    const { size } = await stat(from);
    const text =
      size > LARGEST_KEPT_BYTES ? `(${size} bytes, not kept)` : await readFile(from, 'utf8');
    await writeFile(to, redactor.text(text), { mode: 0o600 });
  } catch {
    // A report that the CLI announced but did not write.
  }
}

/** The CLI leaves a report with the whole conversation in the temp folder for each failed request. */
export async function removeReports(files: readonly string[]): Promise<void> {
  await Promise.all(files.map((file) => unlink(file).catch(() => {})));
}
