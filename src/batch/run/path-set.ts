/** Set of absolute paths with forward slashes that finds paths which are equal to, above or below one of its members. */
export class PathSet {
  readonly #paths = new Set<string>();
  readonly #folders = new Set<string>();

  add(path: string): void {
    this.#paths.add(path);
    for (const folder of foldersOf(path)) this.#folders.add(folder);
  }

  overlaps(path: string): boolean {
    if (this.#paths.has(path) || this.#folders.has(path)) return true;
    return foldersOf(path).some((folder) => this.#paths.has(folder));
  }
}

function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    folders.push(path.slice(0, at));
  }
  return folders;
}
