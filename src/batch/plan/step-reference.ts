/** Fields of a step's result that prompts and conditions can refer to. */
export type ReferenceField = 'text' | 'files' | 'data' | 'state' | 'error';

/** A reference to a step: `steps.ID.text`, `steps.ID.data`, `steps.ID.data.key.0`, `steps.ID.state`. */
export interface StepReference {
  readonly id: string;
  readonly field: ReferenceField;
  /** Keys and indexes inside the data. */
  readonly path: readonly string[];
}

/** Pattern of a reference. The id ends at the first field: no id has such a part. Brackets may hold any file name. */
const REFERENCE =
  /^steps\.([\w./-]+?(?:\[.*\])?)\.(?:(text|files|state|error)|data((?:\.[^.\s]+)*))$/s;
/** Longest reference in characters. The search for the end of the id takes quadratic time. */
const LONGEST = 4096;

export function parseStepReference(text: string): StepReference | undefined {
  const match = text.length > LONGEST ? undefined : REFERENCE.exec(text);
  const id = match?.[1];
  if (!match || id === undefined) return undefined;
  return { id, field: toField(match[2]), path: (match[3] ?? '').split('.').slice(1) };
}

function toField(name: string | undefined): ReferenceField {
  return name === 'text' || name === 'files' || name === 'state' || name === 'error'
    ? name
    : 'data';
}

export function renderStepReference({ id, field, path }: StepReference): string {
  return `{{${['steps', id, field, ...path].join('.')}}}`;
}
