import picomatch from 'picomatch';

/** Files whose names begin with a dot count like all others. A folder stands for everything in it. */
export function createGlob(glob: string): (path: string) => boolean {
  const pattern = glob.replace(/^(?:\.\/)+/, '').replace(/\/$/, '/**');
  const matches = picomatch(pattern, { dot: true });
  // It has a second parameter, which must not be filled by whoever calls it for each of a list.
  return (path) => matches(path);
}
