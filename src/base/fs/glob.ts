import picomatch from 'picomatch';

/**
 * Creates a function that matches paths with a glob. Names that begin with a dot match like all others. A pattern that
 * ends in `/` matches everything in that folder. A path equal to the pattern always matches, even if the pattern has
 * brackets.
 */
export function createGlob(glob: string): (path: string) => boolean {
  const pattern = glob.replace(/^(?:\.\/)+/, '').replace(/\/$/, '/**');
  const matches = picomatch(pattern, { dot: true });
  // A function of one parameter: `matches` has a second one, which `Array.filter` would fill with the index.
  return (path) => path === pattern || matches(path);
}
