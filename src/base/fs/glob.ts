import picomatch from 'picomatch';

/** Most wildcards in one name of a glob for which every path is matched quickly. */
const MOST_WILDCARDS = 3;

/**
 * True if the glob matches every path quickly. A glob becomes a regular expression, and each further wildcard in a name
 * multiplies the time by the length of the name; groups such as `+(a|b)` can even double it with each character.
 */
export function isBoundedGlob(glob: string): boolean {
  if (/[!?*+@]\(/.test(glob) || glob.split('**').length > MOST_WILDCARDS + 1) return false;
  return glob.split('/').every((name) => name.split(/\*+/).length <= MOST_WILDCARDS + 1);
}

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
