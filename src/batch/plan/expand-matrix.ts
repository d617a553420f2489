import { resolve } from 'node:path';
import type { PlanVariable } from '../../api/batch-plan.js';
import { type EarlierFiles, restoreMatches } from './earlier-files.js';
import type { FileFinder } from './find-files.js';
import type { ProblemList } from './problem-list.js';
import type { GivenStep } from './read-steps.js';

/** Most steps of a plan. A higher number is taken for a mistake in `for`. */
const MOST_STEPS = 100_000;

/** A combination of the values in `for`. Each combination becomes one step. */
export interface MatrixCell {
  /** End of the id: `[src/a.ts,go]`. Empty for a step without `for`. */
  readonly suffix: string;
  readonly values: ReadonlyMap<string, PlanVariable>;
  /** Absolute paths of the files among the values. */
  readonly files: readonly string[];
}

/** A key of `for` with its values. */
interface Axis {
  readonly name: string;
  readonly values: readonly PlanVariable[];
  /** Folder of the files. Undefined if the values are not files. */
  readonly folder?: string | undefined;
}

const NO_MATRIX: readonly MatrixCell[] = [{ suffix: '', values: new Map(), files: [] }];

/** Creates a function that returns every combination of the values in `for`, in the order of the lists. */
export function createMatrixExpander(
  finder: FileFinder,
  problems: ProblemList,
  readEarlier: (() => Promise<EarlierFiles>) | undefined,
) {
  let left = MOST_STEPS;
  let earlier: Promise<EarlierFiles> | undefined;
  const findFiles = async (step: string, folder: string, pattern: string) => {
    const paths = await finder.match(folder, pattern);
    earlier ??= readEarlier?.();
    const known = await earlier;
    return known === undefined ? paths : restoreMatches({ step, folder, pattern, paths }, known);
  };
  return async (step: GivenStep, folder: string | undefined): Promise<readonly MatrixCell[]> => {
    if (step.for === undefined) return NO_MATRIX;
    const at = [...step.at, 'for'];
    const axes: Axis[] = [];
    for (const [name, values] of Object.entries(step.for)) {
      if (typeof values !== 'string') axes.push({ name, values });
      else if (folder !== undefined) {
        const matches = await findFiles(step.id, folder, values);
        axes.push({ name, values: matches, folder });
        if (matches.length > 0) continue;
        problems.add([...at, name], values, `matches no file in ${folder}`);
      }
    }
    const count = axes.reduce((product, { values }) => product * values.length, 1);
    left -= count;
    if (left >= 0) return combine(axes);
    problems.add(at, count, `makes too many steps: a plan may have at most ${MOST_STEPS}`);
    return [];
  };
}

function combine(axes: readonly Axis[]): readonly MatrixCell[] {
  let cells: { values: [string, PlanVariable][]; files: string[] }[] = [{ values: [], files: [] }];
  for (const { name, values, folder } of axes) {
    cells = cells.flatMap((cell) =>
      values.map((value) => ({
        values: [...cell.values, [name, value]],
        files: folder === undefined ? cell.files : [...cell.files, resolve(folder, String(value))],
      })),
    );
  }
  return cells.map(({ values, files }) => ({
    suffix: `[${values.map(([, value]) => value).join(',')}]`,
    values: new Map(values),
    files,
  }));
}
