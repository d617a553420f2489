/** Numbers that depend on a seed only, by the algorithm mulberry32. */
export interface Random {
  /** From 0 to 1. */
  next(): number;
  /** A whole number below the limit. */
  below(limit: number): number;
  shuffle<T>(list: readonly T[]): T[];
}

export function seedRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const shuffle = <T>(list: readonly T[]): T[] => {
    const left = [...list];
    return list.flatMap(() => left.splice(below(left.length), 1));
  };
  return { next, below, shuffle };
}
