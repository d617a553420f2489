import leven from 'leven';

/** Returns text to append to a problem: `. Did you mean "x"?`, or an empty string. */
export type Suggest = (name: string) => string;

/**
 * Creates a function that suggests one of the candidates for a misspelled name. After `mostComparisons` comparisons the
 * function suggests nothing more, because thousands of wrong names times thousands of candidates would take too long.
 */
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

/** Returns the candidate that is most similar to the name, or undefined if none is similar. */
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

/**
 * Returns how many letters of a candidate may differ. Two swapped letters count as two differences, so most candidates
 * allow two. Candidates of fewer than four letters allow less, because any name would match them otherwise.
 */
function mostDifferences(candidate: string): number {
  return candidate.length < 4 ? candidate.length - 2 : Math.max(2, candidate.length / 3);
}

/** Removes case, `_` and `-`: a user who mistakes them still means the same name. */
function bare(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}
