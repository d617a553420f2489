import type { PlanVariable } from '../../api/batch-plan.js';

/** Variables as far as they are what they should be, and the names of all, so that no mistake is reported twice. */
export interface GivenVariables {
  readonly values: Readonly<Record<string, PlanVariable>>;
  readonly names: ReadonlySet<string>;
}

/** The variables that the prompt of a step may name. */
export interface VariableScope {
  has(name: string): boolean;
  names(): readonly string[];
  /** With the values of one cell of the matrix before all others; undefined where it has none that is sound. */
  read(name: string, cell: ReadonlyMap<string, PlanVariable>): PlanVariable | undefined;
}

export function toVariables(
  values: Readonly<Record<string, PlanVariable>> | undefined,
  ...written: readonly unknown[]
): GivenVariables {
  const names = written.flatMap((given) =>
    typeof given === 'object' && given !== null ? Object.keys(given) : [],
  );
  // No record has a value under this name, whatever was written.
  return { values: values ?? {}, names: new Set(names.filter((name) => name !== '__proto__')) };
}

/** The first ones win. They are looked up where they are: thousands of steps share those of the plan. */
export function createScope(layers: readonly GivenVariables[]): VariableScope {
  return {
    has: (name) => layers.some(({ names }) => names.has(name)),
    names: () => layers.flatMap(({ names }) => [...names]),
    read: (name, cell) => {
      const layer = layers.find(({ values }) => Object.hasOwn(values, name));
      return cell.get(name) ?? layer?.values[name];
    },
  };
}
