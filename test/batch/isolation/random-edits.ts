/** Creates a random number generator that gives the same numbers for the same seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Files by their paths, as `read` gives them: `+x` in front of executables, `-> ` in front of the target of a link. */
export type Tree = Readonly<Record<string, string>>;

const LINES = 16;

export function makeBase(): Tree {
  const text = (name: string): string => {
    return Array.from({ length: LINES }, (_, line) => `${name} line ${line}\n`).join('');
  };
  return Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`f${index}`, text(`f${index}`)]),
  );
}

/** Creates a few random edits of the base, each of another kind. */
export function makeEdits(
  base: Tree,
  random: (below: number) => number,
): Record<string, string | null> {
  const edits: Record<string, string | null> = {};
  const names = Object.keys(base);
  for (let count = random(4) + 1; count > 0; count--) {
    const path = names[random(names.length)] ?? '';
    const text = base[path] ?? '';
    const line = random(LINES);
    const nonce = random(1000);
    switch (random(8)) {
      case 0:
        edits[path] = null;
        break;
      case 1:
        edits[path] = null;
        edits[`${path}/inside`] = `${nonce}\n`;
        break;
      case 2:
        edits[path] = `+x${text}`;
        break;
      case 3:
        edits[path] = `-> target ${nonce}`;
        break;
      case 4:
        edits[`new${random(3)}`] = `new ${nonce}\n`;
        break;
      case 5:
        edits[`d/new${random(3)}\n "x"`] = `new ${random(2)}\n`;
        break;
      default:
        edits[path] = text.replace(`line ${line}\n`, `line ${line} changed to ${nonce}\n`);
    }
  }
  for (const path of Object.keys(edits)) {
    const isBelow = Object.keys(edits).some((other) => other.startsWith(`${path}/`));
    if (isBelow) edits[path] = null;
  }
  return edits;
}

/** Returns the expected three-way merge of trees; undefined for a conflict, `unsure` if both outcomes are right. */
export function combine(base: Tree, ours: Tree, theirs: Tree): Tree | 'unsure' | undefined {
  const result: Record<string, string> = {};
  let isUnsure = false;
  for (const path of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const merged = combineOne(base[path], ours[path], theirs[path]);
    if (merged === 'conflict') return undefined;
    if (merged === 'unsure') isUnsure = true;
    else if (merged !== undefined) result[path] = merged;
  }
  const paths = Object.keys(result);
  if (paths.some((path) => paths.some((other) => other.startsWith(`${path}/`)))) return undefined;
  return isUnsure ? 'unsure' : result;
}

function combineOne(base?: string, ours?: string, theirs?: string): string | undefined {
  if (ours === theirs || base === theirs) return ours;
  if (base === ours) return theirs;
  if (base === undefined || ours === undefined || theirs === undefined) return 'conflict';
  if ([base, ours, theirs].some((text) => text.startsWith('-> '))) return 'conflict';
  const prefix = [ours, theirs].some((text) => text.startsWith('+x')) ? '+x' : '';
  const [from = [], one = [], other = []] = [base, ours, theirs].map((text) => {
    return text.replace(/^\+x/, '').split('\n');
  });
  const changed = (lines: readonly string[]): number[] => {
    return lines.flatMap((line, index) => (line === from[index] ? [] : index));
  };
  for (const a of changed(one)) {
    for (const b of changed(other)) {
      if (a === b && one[a] !== other[b]) return 'conflict';
      // Changes of neighbouring lines may be merged or be a conflict.
      if (Math.abs(a - b) < 3) return 'unsure';
    }
  }
  return prefix + from.map((line, at) => (one[at] === line ? other[at] : one[at])).join('\n');
}
