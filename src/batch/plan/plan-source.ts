/** Path of a value in a plan: `['steps', 2, 'retries']`. */
export type PlanPath = readonly (string | number)[];

/** A plan before it is checked, from a file or from code. */
export interface PlanSource {
  /** Path of the plan file as the caller gave it. Absent for a plan from code. */
  readonly file?: string | undefined;
  readonly content: unknown;
  /** Returns the line of a path, from 1. A path that does not exist has the line of its nearest parent. */
  lineOf(path: PlanPath): number | undefined;
}

/** Renders a path as text: `steps[2].retries`. */
export function renderPath(path: PlanPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}
