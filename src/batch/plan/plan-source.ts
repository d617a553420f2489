/** Where something is in a plan: `['steps', 2, 'retries']`. */
export type PlanPath = readonly (string | number)[];

/** A plan as its author wrote it, whether in a file or in code. */
export interface PlanSource {
  /** As the caller named it; absent for a plan from code. */
  readonly file?: string | undefined;
  readonly content: unknown;
  /** The line of the nearest thing at this path that is there, from 1 on. */
  lineOf(path: PlanPath): number | undefined;
}

/** `steps[2].retries` */
export function renderPath(path: PlanPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}

export function toSnakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What is at a path, if anything. */
export function valueAt(root: unknown, path: PlanPath): unknown {
  return path.reduce<unknown>((value, part) => {
    return typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined;
  }, root);
}
