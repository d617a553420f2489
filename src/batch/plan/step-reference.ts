/** A reference to the result of a step: `steps.ID.text`, `steps.ID.files`, `steps.ID.data`, `steps.ID.data.key.0`. */
export interface StepReference {
  readonly id: string;
  readonly field: 'text' | 'files' | 'data';
  /** Keys and indexes inside the data. */
  readonly path: readonly string[];
}

/** Pattern of a reference. The id ends at the first field: no id has such a part. Brackets may hold any file name. */
const REFERENCE = /^steps\.([\w./-]+?(?:\[.*\])?)\.(?:(text|files)|data((?:\.[^.\s]+)*))$/s;
/** Longest reference in characters. The search for the end of the id takes quadratic time. */
const LONGEST = 4096;

export function parseStepReference(text: string): StepReference | undefined {
  const match = text.length > LONGEST ? undefined : REFERENCE.exec(text);
  const id = match?.[1];
  if (!match || id === undefined) return undefined;
  const field = match[2] === 'text' || match[2] === 'files' ? match[2] : 'data';
  return { id, field, path: (match[3] ?? '').split('.').slice(1) };
}

export function renderStepReference({ id, field, path }: StepReference): string {
  return `{{${['steps', id, field, ...path].join('.')}}}`;
}
