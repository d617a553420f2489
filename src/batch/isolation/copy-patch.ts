import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { joinNames, onDisk } from './byte-path.js';
import type { CopyChange } from './copy-changes.js';
import type { CopyState } from './copy-state.js';
import { readStats } from './file-identity.js';
import { hasKnownContent } from './file-snapshot.js';
import { gitLine, gitOutput } from './git-output.js';
import { keepFiles } from './keep-files.js';
import { keepPatch } from './merge-trees.js';
import { addFiles } from './snapshot-tree.js';

/** Attributes that switch off all conversions, whatever a `.gitattributes` in the folder says. */
const NO_CONVERSION = '* -text -eol -filter -ident -working-tree-encoding\n';

/** Writes changes as a patch, by means of a temporary repository. Returns undefined if there are no changes. */
export async function keepCopyPatch(
  state: CopyState,
  changes: readonly CopyChange[],
  file: string,
): Promise<string | undefined> {
  if (changes.length === 0) return undefined;
  if (state.texts === undefined) {
    keepFiles(changes, file);
    return file;
  }
  const { root, home, texts } = state;
  const gitDir = join(home.folder, 'patch.git');
  await gitOutput({ folder: home.folder }, ['init', '-q', '--bare', '--template=', gitDir]);
  mkdirSync(join(gitDir, 'info'), { recursive: true });
  writeFileSync(join(gitDir, 'info', 'attributes'), NO_CONVERSION);
  const git = { folder: home.tree, gitDir, indexFile: join(gitDir, 'index') };
  const isKept = ({ path }: CopyChange): boolean =>
    readStats(onDisk(texts, path))?.isFile() ?? false;
  const unchanged: CopyChange[] = [];
  for (const change of changes.filter((change) => !isKept(change))) {
    const { path } = change;
    const known = state.known.get(path);
    if (known && (await hasKnownContent(root, path, known, known.originalStamp)))
      unchanged.push(change);
  }
  const kept = changes.filter(isKept);
  await addFiles(
    { ...git, folder: texts },
    kept.map(({ path }) => path),
  );
  await addFiles(
    { ...git, folder: root },
    unchanged.map(({ path }) => path),
  );
  const before = await gitLine(git, ['write-tree']);
  const removed = changes.filter(({ source }) => source === undefined).map(({ path }) => path);
  const written = changes.filter(({ source }) => source !== undefined).map(({ path }) => path);
  const args = ['update-index', '--force-remove', '-z', '--stdin'];
  if (removed.length > 0) await gitOutput(git, args, { stdin: joinNames(removed) });
  await addFiles(git, written);
  return keepPatch(git, before, await gitLine(git, ['write-tree']), file);
}
