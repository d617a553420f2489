import leven from 'leven';

/** Text to append to a problem: ` Did you mean "x"?`, or nothing. */
export type Suggest = (name: string) => string;

/** Thousands of wrong names are not compared with thousands of others each: the limit says when to stop. */
export function createSuggest(
  candidates: Iterable<string>,
  mostComparisons = Number.POSITIVE_INFINITY,
): Suggest {
  const known = [...candidates];
  let left = mostComparisons;
  return (name) => {
    left -= known.length;
    const nearest = left < 0 ? undefined : nearestName(name, known);
    return nearest === undefined ? '' : `. Did you mean "${nearest}"?`;
  };
}

/** The candidate that a person most likely meant, or undefined if none is similar. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const wanted = bare(name);
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const most = mostDifferences(candidate);
    if (Math.abs(candidate.length - name.length) > most + 2) continue;
    const distance = leven(wanted, bare(candidate));
    if (distance > most || distance >= least) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}

/** Two letters in the wrong order are two; of a short name nothing would be left. */
function mostDifferences(candidate: string): number {
  return candidate.length < 4 ? candidate.length - 2 : Math.max(2, candidate.length / 3);
}

/** Neither the case nor the way words are joined makes two names different to a person. */
function bare(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}
