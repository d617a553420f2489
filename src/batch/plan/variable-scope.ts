import type { PlanVariable } from '../../api/batch-plan.js';

/** The valid variables, and the names of all: a prompt that uses an invalid variable is not a second problem. */
export interface GivenVariables {
  readonly values: Readonly<Record<string, PlanVariable>>;
  readonly names: ReadonlySet<string>;
}

/** Variables that the prompt of a step may use. */
export interface VariableScope {
  has(name: string): boolean;
  names(): readonly string[];
  /** Returns the value of a variable, or undefined if it has no valid one. Values of the matrix cell come first. */
  read(name: string, cell: ReadonlyMap<string, PlanVariable>): PlanVariable | undefined;
}

export function toVariables(
  values: Readonly<Record<string, PlanVariable>> | undefined,
  ...written: readonly unknown[]
): GivenVariables {
  const names = written.flatMap((given) =>
    typeof given === 'object' && given !== null ? Object.keys(given) : [],
  );
  // `__proto__` is left out: assigning it creates no own key, so the variable would never have a value.
  return { values: values ?? {}, names: new Set(names.filter((name) => name !== '__proto__')) };
}

/** Creates a scope. The first layer with a name wins. Layers are not merged: thousands of steps share some of them. */
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
