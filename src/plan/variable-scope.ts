import type { PlanVariable } from '../contract/batch-plan.js';

type Variables = Readonly<Record<string, PlanVariable>>;

/** The variables that the prompt of a step may name. */
export interface VariableScope {
  has(name: string): boolean;
  names(): readonly string[];
  /** With the values of one cell of the matrix before all others. */
  read(name: string, cell: ReadonlyMap<string, PlanVariable>): string;
}

/** The later ones win. They are looked up where they are: thousands of steps share those of the plan. */
export function createScope(
  given: readonly (Variables | undefined)[],
  namesOfMatrix: readonly string[],
): VariableScope {
  const layers = given.filter((variables) => variables !== undefined).reverse();
  const find = (name: string) => layers.find((layer) => Object.hasOwn(layer, name));
  return {
    has: (name) => namesOfMatrix.includes(name) || find(name) !== undefined,
    names: () => [...namesOfMatrix, ...layers.flatMap((layer) => Object.keys(layer))],
    read: (name, cell) => String(cell.get(name) ?? find(name)?.[name] ?? ''),
  };
}
