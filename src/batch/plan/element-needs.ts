import { createSuggest } from '../../base/text/nearest-name.js';
import type { MatrixCell } from './expand-matrix.js';
import type { GivenNeed } from './need-template.js';
import type { ProblemList } from './problem-list.js';
import type { VariableScope } from './variable-scope.js';

const MOST_SHOWN = 3;

/** A matrix, as element-wise needs see it. */
export interface Matrix {
  /** Id in the plan. */
  readonly id: string;
  readonly isMatrix: boolean;
  readonly cells: readonly MatrixCell[];
  readonly scope: VariableScope;
}

/** Fills the variables of an id for one cell. */
export function fillNeed(
  { parts }: GivenNeed & { readonly kind: 'template' },
  scope: VariableScope,
  cell: MatrixCell,
): string {
  return parts
    .map((part) => {
      if (part.kind === 'variable') return String(scope.read(part.name, cell.values));
      return part.kind === 'text' ? part.text : '';
    })
    .join('');
}

/** Returns for each cell of a matrix the id of the element of another matrix with the same values. */
export type MatchElements = (
  own: Matrix,
  other: Matrix,
  need: GivenNeed & { readonly kind: 'each' },
  problems: ProblemList,
) => readonly string[] | undefined;

/** Creates a function that matches the cells of two matrices. Each matrix is indexed once for the same keys. */
export function createElementMatcher(): MatchElements {
  const indexes = new Map<Matrix, Map<string, ReadonlyMap<string, readonly string[]>>>();
  const indexOf = (other: Matrix, keys: readonly string[]) => {
    const ofMatrix = indexes.get(other) ?? new Map<string, ReadonlyMap<string, string[]>>();
    indexes.set(other, ofMatrix);
    const name = JSON.stringify(keys);
    const index = ofMatrix.get(name) ?? indexCells(other, keys);
    ofMatrix.set(name, index);
    return index;
  };
  return (own, other, need, problems) => {
    const fail = (problem: string): undefined => {
      problems.add(need.at, { each: need.id }, problem);
    };
    if (!other.isMatrix) return fail(`step "${other.id}" has no for: write "${other.id}" alone`);
    const [first] = own.cells;
    if (!own.isMatrix) return fail('needs a step with for');
    const otherKeys = keysOf(other);
    const keys = keysOf(own).filter((key) => otherKeys.includes(key));
    // A matrix without cells has a problem of its own.
    if (first === undefined || other.cells.length === 0) return undefined;
    if (keys.length === 0) return fail(describeKeys(keysOf(own), other.id, otherKeys));
    const index = indexOf(other, keys);
    const found = own.cells.map((cell) => index.get(project(cell, keys)) ?? []);
    const missing = own.cells.filter((_, cell) => found[cell]?.length === 0);
    const [without] = missing;
    if (without !== undefined) {
      const more = missing.length > 1 ? `, nor for ${missing.length - 1} more of its steps` : '';
      const suggestion = suggestElement(other, without, keys);
      return fail(
        `no step of "${other.id}" has ${describeValues(without, keys)}${more}${suggestion}`,
      );
    }
    const several = found.find((ids) => ids.length > 1);
    if (several !== undefined) return fail(describeSeveral(several, other.id, otherKeys, keys));
    return found.flat();
  };
}

function indexCells(other: Matrix, keys: readonly string[]): ReadonlyMap<string, string[]> {
  const index = new Map<string, string[]>();
  for (const cell of other.cells) {
    const name = project(cell, keys);
    const ids = index.get(name);
    if (ids === undefined) index.set(name, [other.id + cell.suffix]);
    else ids.push(other.id + cell.suffix);
  }
  return index;
}

/** Values of a cell in these keys, as text: ids do not tell numbers from texts either. */
function project({ values }: MatrixCell, keys: readonly string[]): string {
  return JSON.stringify(keys.map((key) => String(values.get(key))));
}

function keysOf({ cells }: Matrix): readonly string[] {
  return [...(cells[0]?.values.keys() ?? [])];
}

function describeKeys(own: readonly string[], id: string, other: readonly string[]): string {
  const suggest = createSuggest(other);
  const suggestion = own.map(suggest).find((text) => text !== '') ?? '';
  return `has no key of for in common with "${id}": this step has ${own.join(', ')}, "${id}" has ${other.join(', ')}${suggestion}`;
}

function describeValues({ values }: MatrixCell, keys: readonly string[]): string {
  return keys.map((key) => `${key} = ${JSON.stringify(values.get(key))}`).join(', ');
}

function describeSeveral(
  ids: readonly string[],
  id: string,
  otherKeys: readonly string[],
  keys: readonly string[],
): string {
  const shown = ids.slice(0, MOST_SHOWN).join(', ') + (ids.length > MOST_SHOWN ? ', …' : '');
  const left = otherKeys.filter((key) => !keys.includes(key)).join(', ');
  return `matches several steps of "${id}": ${shown}. Add ${left} to for, or write "${id}" for all steps`;
}

function suggestElement(other: Matrix, cell: MatrixCell, keys: readonly string[]): string {
  const [key] = keys;
  if (key === undefined || keys.length > 1) return '';
  const values = new Set(other.cells.map(({ values: those }) => String(those.get(key))));
  return createSuggest(values)(String(cell.values.get(key)));
}
