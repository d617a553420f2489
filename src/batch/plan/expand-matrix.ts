import { resolve } from 'node:path';
import type { PlanVariable } from '../../api/batch-plan.js';
import { type EarlierFiles, restoreMatches } from './earlier-files.js';
import type { FileFinder } from './find-files.js';
import type { ProblemList } from './problem-list.js';
import type { GivenStep } from './read-steps.js';

/** More is a slip in `for`: no batch is meant to have so many steps. */
const MOST_STEPS = 100_000;

/** One of the steps that a step of the plan stands for. */
export interface MatrixCell {
  /** `[src/a.ts,go]`; empty for a step without `for`. */
  readonly suffix: string;
  readonly values: ReadonlyMap<string, PlanVariable>;
  /** The files it was made for, absolute. */
  readonly files: readonly string[];
}

interface Axis {
  readonly name: string;
  readonly values: readonly PlanVariable[];
  /** Where the values are files. */
  readonly folder?: string | undefined;
}

const ALONE: readonly MatrixCell[] = [{ suffix: '', values: new Map(), files: [] }];

/** Makes every combination of what `for` lists, in the order of the lists. */
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
    if (step.for === undefined) return ALONE;
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
    problems.add(at, count, `makes too many steps: all of a plan may make ${MOST_STEPS}`);
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
