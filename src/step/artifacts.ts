import { mkdir, readdir, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { hasErrno } from '../base/errors/errno.js';
import type { Redactor } from '../base/errors/redact.js';
import { readRegularFile } from '../base/fs/regular-file.js';
import { writeAtomically } from '../base/fs/write-atomically.js';
import { redactRecording } from './redact-recording.js';

const LARGEST_KEPT_BYTES = 256 * 1024 * 1024;
const PRIVATE = 0o600;

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
  /** Stops the copying: the time of the step is over. */
  readonly signal?: AbortSignal | undefined;
}

/** Copies the files of a step with its secrets redacted. Returns the folder. */
export async function keepArtifacts(request: ArtifactRequest): Promise<string> {
  const { keep, generationId, redactor, signal } = request;
  const folder =
    keep === true
      ? join(tmpdir(), `gemini-cli-provider-kept-${generationId}`)
      : resolve(keep, generationId);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(request.directory);
  const files = [...names.map((name) => join(request.directory, name)), ...request.moreFiles];
  for (const file of files) {
    signal?.throwIfAborted();
    await copyRedacted(file, join(folder, basename(file)), redactor, signal);
  }
  const call = redactor.text(JSON.stringify({ generationId, ...request.call }, undefined, 2));
  await writeAtomically(join(folder, 'call.json'), call, PRIVATE);
  return folder;
}

/** Copies a file. Throws if the copy cannot be written; a file that is not there is left out. */
async function copyRedacted(
  from: string,
  to: string,
  redactor: Redactor,
  signal: AbortSignal | undefined,
): Promise<void> {
  const text = await readArtifact(from, signal);
  if (text === undefined) return;
  const isRecording = from.endsWith('.ndjson');
  const redacted = isRecording ? redactRecording(text, redactor) : redactor.text(text);
  await writeAtomically(to, redacted, PRIVATE);
}

async function readArtifact(
  path: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    if (size > LARGEST_KEPT_BYTES) return `(${size} bytes, not kept)`;
    return (await readRegularFile(path, signal)).toString();
  } catch (error) {
    // The CLI announced a report but did not write it, or the name belongs to no regular file.
    if (signal?.aborted || hasErrno(error, 'ENOSPC', 'EIO')) throw error;
    return undefined;
  }
}

/** Removes the reports of the CLI: for each failed request it leaves one with the whole session in the temp folder. */
export async function removeReports(files: readonly string[]): Promise<void> {
  await Promise.all(files.map((file) => unlink(file).catch(() => {})));
}
