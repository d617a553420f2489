import picomatch from 'picomatch';

/**
 * Files whose names begin with a dot count like all others. A folder stands for everything in it, and a name for
 * itself, whatever its brackets would mean in a pattern.
 */
export function createGlob(glob: string): (path: string) => boolean {
  const pattern = glob.replace(/^(?:\.\/)+/, '').replace(/\/$/, '/**');
  const matches = picomatch(pattern, { dot: true });
  // It has a second parameter, which must not be filled by whoever calls it for each of a list.
  return (path) => path === pattern || matches(path);
}
