import { basename, isAbsolute, resolve } from 'node:path';
import { statIfThere } from '../../base/fs/stats.js';

/** Limits of the search in one command. */
const LONGEST_COMMAND = 20_000;
const MOST_WORDS = 200;
const MOST_PATHS = 1_000;
const DEEPEST = 3;

export interface CommandPathsRequest {
  readonly command: string;
  /** Folder in which the command runs. */
  readonly workingDir: string;
  /** Variables that the command may use in a path. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Lists every path that a shell command may mean: each word, also inside of quotes, behind `=` and after a redirection,
 * resolved from the working directory and from the folders of `cd`. A word that is a folder is combined with the names
 * of the other words, because `cp a folder` writes `folder/a`.
 */
export function findCommandPaths({ command, workingDir, env }: CommandPathsRequest): string[] {
  const words = findWords(command.slice(0, LONGEST_COMMAND), env, 0).slice(0, MOST_WORDS);
  const folders = new Set([workingDir]);
  for (const [index, word] of words.entries()) {
    if (word === 'cd' || word === 'pushd' || word === '-C') {
      const target = words[index + 1];
      if (target !== undefined) for (const at of [...folders]) folders.add(resolve(at, target));
    }
  }
  const paths = new Set<string>();
  for (const word of words) {
    for (const folder of isAbsolute(word) ? [workingDir] : folders)
      paths.add(resolve(folder, word));
  }
  for (const path of [...paths]) {
    if (!statIfThere(path)?.isDirectory()) continue;
    for (const word of words) {
      if (paths.size < MOST_PATHS) paths.add(resolve(path, basename(word)));
    }
  }
  return [...paths];
}

/** A word: quoted parts, escaped characters and plain characters up to a blank or an operator. */
const WORD = /(?:'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|[^\s;|&<>()'"\\`])+/g;

function findWords(command: string, env: CommandPathsRequest['env'], depth: number): string[] {
  const variables = new Map<string, string>();
  const expand = (text: string): string => {
    const home = env['HOME'] ?? '~';
    return text
      .replace(/^~(?=\/|$)/, () => home)
      .replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced?: string, bare?: string) => {
        const name = braced ?? bare ?? '';
        return variables.get(name) ?? env[name] ?? whole;
      });
  };
  const words: string[] = [];
  for (const [raw] of command.matchAll(WORD)) {
    const word = expand(unquote(raw));
    if (word === '' || word.includes('\0')) continue;
    words.push(word);
    const assignment = /^(-{0,2}[\w-]+)=(.+)$/s.exec(word);
    if (assignment?.[1] !== undefined && assignment[2] !== undefined) {
      variables.set(assignment[1], assignment[2]);
      words.push(expand(assignment[2]));
    }
    const option = /^-\w(\/.+)$/s.exec(word)?.[1];
    if (option !== undefined) words.push(option);
    // A quoted text may be a command of its own: sh -c "echo x > file".
    if (/[\s;|&<>()]/.test(word) && depth < DEEPEST) words.push(...findWords(word, env, depth + 1));
  }
  return words;
}

function unquote(word: string): string {
  return word.replace(
    /'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|\\([\s\S])/g,
    (_all, ...parts: unknown[]) => {
      const [single, double, escaped] = parts;
      if (typeof single === 'string') return single;
      if (typeof double === 'string') return double.replace(/\\(["\\$`])/g, '$1');
      return typeof escaped === 'string' ? escaped : '';
    },
  );
}
