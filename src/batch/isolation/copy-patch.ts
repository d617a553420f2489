import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { joinNames, onDisk } from './byte-path.js';
import { readStats } from './file-identity.js';
import { hasKnownContent } from './file-snapshot.js';
import { gitLine, gitOutput } from './git-output.js';
import { keepFiles } from './keep-files.js';
import { keepPatch } from './merge-trees.js';
import type { StepChange, StepChanges } from './step-changes.js';
import { updateIndex } from './update-index.js';

/** Attributes that switch off all conversions, whatever a `.gitattributes` in the folder says. */
const NO_CONVERSION = '* -text -eol -filter -ident -working-tree-encoding\n';

/**
 * Writes changes as a patch, by means of a temporary repository in the folder `scratch`. Returns undefined if there are
 * no changes.
 */
export async function keepCopyPatch(
  { root, texts, files, changes }: StepChanges,
  scratch: string,
  file: string,
): Promise<string | undefined> {
  if (changes.length === 0) return undefined;
  if (texts === undefined) {
    keepFiles(changes, file);
    return file;
  }
  const gitDir = join(scratch, 'patch.git');
  await gitOutput({ folder: scratch }, ['init', '-q', '--bare', '--template=', gitDir]);
  mkdirSync(join(gitDir, 'info'), { recursive: true });
  writeFileSync(join(gitDir, 'info', 'attributes'), NO_CONVERSION);
  const git = { folder: files, gitDir, indexFile: join(gitDir, 'index') };
  const isKept = ({ path }: StepChange): boolean =>
    readStats(onDisk(texts, path))?.isFile() ?? false;
  const unchanged: StepChange[] = [];
  for (const change of changes.filter((change) => !isKept(change))) {
    const { path, known } = change;
    if (known && (await hasKnownContent(root, path, known, known.originalStamp)))
      unchanged.push(change);
  }
  const kept = changes.filter(isKept);
  await updateIndex(
    { ...git, folder: texts },
    kept.map(({ path }) => path),
  );
  await updateIndex(
    { ...git, folder: root },
    unchanged.map(({ path }) => path),
  );
  const before = await gitLine(git, ['write-tree']);
  const removed = changes.filter(({ source }) => source === undefined).map(({ path }) => path);
  const written = changes.filter(({ source }) => source !== undefined).map(({ path }) => path);
  const args = ['update-index', '--force-remove', '-z', '--stdin'];
  if (removed.length > 0) await gitOutput(git, args, { stdin: joinNames(removed) });
  await updateIndex(git, written);
  return keepPatch(git, before, await gitLine(git, ['write-tree']), file);
}
