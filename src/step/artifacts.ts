import { mkdir, readdir, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Redactor } from '../base/errors/redact.js';
import { readRegularFile } from '../base/fs/regular-file.js';
import { redactRecording } from './redact-recording.js';

const LARGEST_KEPT_BYTES = 256 * 1024 * 1024;

export interface ArtifactRequest {
  /** `true` for the temp folder, or the folder in which each step gets a folder of its own. */
  readonly keep: string | true;
  readonly generationId: string;
  /** Private directory of the step; all its files are copied. */
  readonly directory: string;
  /** Further files to copy: the reports of the CLI. */
  readonly moreFiles: readonly string[];
  /** Command line, version and exit of the CLI, for `call.json`. */
  readonly call: object;
  readonly redactor: Redactor;
}

/** Copies the files of a step with its secrets redacted. Returns the folder. */
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
      size > LARGEST_KEPT_BYTES
        ? `(${size} bytes, not kept)`
        : (await readRegularFile(from)).toString('utf8');
    const isRecording = from.endsWith('.ndjson');
    const redacted = isRecording ? redactRecording(text, redactor) : redactor.text(text);
    await writeFile(to, redacted, { mode: 0o600 });
  } catch {
    // The CLI announced a report but did not write it.
  }
}

/** Removes the reports of the CLI: for each failed request it leaves one with the whole session in the temp folder. */
export async function removeReports(files: readonly string[]): Promise<void> {
  await Promise.all(files.map((file) => unlink(file).catch(() => {})));
}
