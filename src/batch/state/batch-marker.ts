import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ProviderError } from '../../base/errors/provider-error.js';
import { sha256 } from '../../base/fs/fingerprint.js';
import { readRegularFile } from '../../base/fs/regular-file.js';
import { lstatIfThere } from '../../base/fs/stats.js';
import { writeAtomically } from '../../base/fs/write-atomically.js';

const FOLDER = '.batch';
const FILE = 'id.json';
/** Name of the id after the state of the batch was removed: the folder can be cleaned again, and starts a new batch. */
const CLEANED_FILE = 'cleaned.json';
const marker = z.object({ batch: z.string(), sum: z.string() });

/** Creates the id of a batch. A batch that starts from the beginning gets a new one. */
export function createBatchId(): string {
  return randomBytes(8).toString('hex');
}

/**
 * Lists the paths in an output folder that no agent may change: the lease that keeps a second batch away, and the id by
 * which the state folder knows its output folder.
 */
export function protectedBatchPaths(out: string): readonly string[] {
  return [join(out, FOLDER)];
}

/** Creates the folder in an output folder that holds its lease and its id. */
export function openMarkerFolder(out: string): string {
  const folder = join(out, FOLDER);
  mkdirSync(folder, { recursive: true });
  if (lstatIfThere(folder)?.isDirectory()) return folder;
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `${folder} is not a folder, although a batch needs it for its lease`,
    hint: `Remove ${folder}, and find out which program has created it.`,
  });
}

/** Writes the id of the batch into its output folder. */
export async function writeMarker(out: string, batch: string): Promise<void> {
  const present = await readMarker(out);
  if (present.kind === 'batch' && present.id === batch) return;
  const text = JSON.stringify({ batch, sum: sha256(batch) });
  await writeAtomically(join(openMarkerFolder(out), FILE), text);
}

/** Removes the id from an output folder. */
export async function removeMarker(out: string): Promise<void> {
  await rm(join(out, FOLDER, FILE), { recursive: true, force: true });
}

/** Marks an output folder whose state was removed: the next batch there is a new one. */
export async function retireMarker(out: string): Promise<void> {
  await rename(join(out, FOLDER, FILE), join(out, FOLDER, CLEANED_FILE));
}

/** Paths of the ids in an output folder: of its batch, and of a batch whose state was removed. */
export function markerFiles(out: string): readonly string[] {
  return [join(out, FOLDER, FILE), join(out, FOLDER, CLEANED_FILE)];
}

/** Returns the folder with lease and id of an output folder. Undefined if there is none, or a link in its place. */
export function findMarkerFolder(out: string): string | undefined {
  const folder = join(out, FOLDER);
  return lstatIfThere(folder)?.isDirectory() ? folder : undefined;
}

/**
 * Reads the id of the batch that an output folder belongs to. `none`: the folder is new, or was removed and created
 * again. `damaged`: there is an id that cannot be read.
 */
export async function readMarker(
  out: string,
): Promise<
  { readonly kind: 'none' | 'damaged' } | { readonly kind: 'batch'; readonly id: string }
> {
  const file = join(out, FOLDER, FILE);
  if (lstatIfThere(file) === undefined) return { kind: 'none' };
  try {
    const parsed = marker.parse(JSON.parse((await readRegularFile(file)).toString('utf8')));
    if (parsed.sum === sha256(parsed.batch)) return { kind: 'batch', id: parsed.batch };
  } catch {
    // The file is damaged or is no regular file.
  }
  return { kind: 'damaged' };
}
