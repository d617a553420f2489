import { mkdirSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';

const PRIVATE = 0o700;
/** No conversion of any kind: this file has precedence over every `.gitattributes`. */
const ATTRIBUTES = '* -text -ident -filter !eol !working-tree-encoding\n';

export type ObjectFormat = 'sha1' | 'sha256';

export interface GitFolderOptions {
  readonly format: ObjectFormat;
  /** Object folders of other repositories that this one reads from. */
  readonly alternates?: readonly string[] | undefined;
  /** False if execute bits mean nothing on this disk. */
  readonly trustModes?: boolean | undefined;
  /** Rules of `.git/info/exclude`. */
  readonly excludes?: string | undefined;
  /** True if the user's own ignore file counts. */
  readonly isUserIgnoring?: boolean | undefined;
  /** Commit of a detached HEAD. */
  readonly head?: string | undefined;
}

/**
 * Creates a repository that stores the bytes of files as they are: no line ends, filters or attributes of the user or of
 * the tree change them. Written by hand, because `git init` costs as much as a small step.
 */
export function createGitFolder(gitDir: string, options: GitFolderOptions): void {
  const { format, alternates = [], trustModes = true, excludes = '', head } = options;
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'info']) {
    mkdirSync(join(gitDir, folder), { recursive: true, mode: PRIVATE });
  }
  const config = [
    '[core]',
    `\trepositoryformatversion = ${format === 'sha1' ? 0 : 1}`,
    '\tbare = false',
    `\tfileMode = ${trustModes}`,
    '\tautocrlf = false',
    '\teol = lf',
    '\tsymlinks = true',
    '\tsparseCheckout = false',
    '\tprotectHFS = true',
    '\tprotectNTFS = true',
    '\tprecomposeUnicode = false',
    '\tlogAllRefUpdates = false',
    '\tcompression = 1',
    `\tattributesFile = ${devNull}`,
    ...(options.isUserIgnoring ? [] : [`\texcludesFile = ${devNull}`]),
    ...(format === 'sha1' ? [] : ['[extensions]', `\tobjectFormat = ${format}`]),
    '[user]',
    '\tname = gemini-cli-provider',
    '\temail = gemini-cli-provider@localhost',
    '[gc]',
    '\tauto = 0',
    '',
  ];
  writeFileSync(join(gitDir, 'config'), config.join('\n'));
  writeFileSync(join(gitDir, 'info', 'attributes'), ATTRIBUTES);
  writeFileSync(join(gitDir, 'info', 'exclude'), excludes);
  if (alternates.length > 0) {
    writeFileSync(join(gitDir, 'objects', 'info', 'alternates'), alternates.map(quote).join(''));
  }
  // Git takes a folder for a repository when it has HEAD, so that HEAD comes last.
  writeFileSync(join(gitDir, 'HEAD'), head === undefined ? 'ref: refs/heads/main\n' : `${head}\n`);
}

/** Quotes a path for `objects/info/alternates`, in which a line ends a path. */
function quote(path: string): string {
  if (!/["\\\n#]/.test(path)) return `${path}\n`;
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"\n`;
}

/** Returns the rule of an ignore file that matches exactly this path. */
export function toIgnoreRule(path: string): string {
  return `/${path.replace(/[\\*?[\]! #]/g, '\\$&')}`;
}
