import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, Options } from 'ajv';
import type { AnswerSchema, SchemaLike } from '../api/expectations.js';

/** A part of a value that does not satisfy the schema. */
export interface SchemaProblem {
  /** JSON pointer to the part. An empty string is the value itself. */
  readonly pointer: string;
  readonly message: string;
}

export type CheckedAnswer =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] };

export type AnswerCheck = (value: unknown) => CheckedAnswer;

/** `format` is an annotation in draft 2020-12, so it is not checked. Unknown keywords are ignored. */
const OPTIONS: Options = { allErrors: true, strict: false, validateFormats: false, logger: false };

/** Loads ajv on first use, because loading it takes as long as the rest of the package. */
const load = createRequire(import.meta.url);
const checks = new WeakMap<object, AnswerCheck>();

/** Compiles the schema into a check, once per schema object. Throws if it is not a valid schema. */
export function createAnswerCheck(schema: AnswerSchema): AnswerCheck {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const check = isSchemaLike(schema) ? checkByParsing(schema) : checkByJsonSchema(schema);
  checks.set(schema, check);
  return check;
}

/** Keywords whose checks can take very long: regular expressions, comparisons of all pairs, repeated references. */
const SLOW_KEYWORDS: ReadonlySet<string> = new Set([
  'pattern',
  'patternProperties',
  'uniqueItems',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
]);

/** True if a check takes a time that grows no faster than the answer, whatever the answer is. */
export function isBoundedSchema(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  return Object.entries(schema).every(([key, value]) => {
    return !SLOW_KEYWORDS.has(key) && isBoundedSchema(value);
  });
}

export function isSchemaLike(schema: object): schema is SchemaLike {
  return typeof Reflect.get(schema, 'safeParse') === 'function';
}

function checkByParsing(schema: SchemaLike): AnswerCheck {
  return (value) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return { ok: true, data: parsed.data };
    const problems = parsed.error.issues.map(({ path, message }) => {
      return { pointer: path.map(toPointerPart).join(''), message };
    });
    return { ok: false, problems };
  };
}

function toPointerPart(key: PropertyKey): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function checkByJsonSchema(schema: Readonly<Record<string, unknown>>): AnswerCheck {
  const validate = compile(schema);
  return (value) => {
    if (validate(value) === true) return { ok: true, data: value };
    return { ok: false, problems: (validate.errors ?? []).map(describeError) };
  };
}

/** Compiles by the draft in `$schema`. Without one, tries 2020-12, then draft-07, whose `items` may be a list. */
function compile(schema: Readonly<Record<string, unknown>>) {
  const { $schema: draft } = schema;
  if (typeof draft === 'string' && draft.includes('draft-07')) return compileBy(draft07(), schema);
  try {
    return compileBy(draft2020(), schema);
  } catch (error) {
    if (draft !== undefined) throw error;
    try {
      return compileBy(draft07(), schema);
    } catch {
      throw error;
    }
  }
}

function compileBy(ajv: Ajv, schema: Readonly<Record<string, unknown>>) {
  if ('$async' in schema) throw new Error('$async is not supported');
  return ajv.compile(schema);
}

/** Creates an instance per schema, because two schemas may have the same `$id`. */
function draft2020(): Ajv {
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = load('ajv/dist/2020.js');
  return new Ajv2020(OPTIONS);
}

function draft07(): Ajv {
  const { Ajv }: typeof import('ajv') = load('ajv');
  return new Ajv(OPTIONS);
}

function describeError({ instancePath, message, keyword, params }: ErrorObject): SchemaProblem {
  const problem = message ?? `does not pass "${keyword}"`;
  const more = params['additionalProperty'] ?? params['unevaluatedProperty'];
  const allowed = params['allowedValues'] ?? params['allowedValue'];
  const detail = more ?? allowed;
  const shown = detail === undefined ? '' : `: ${JSON.stringify(detail)}`;
  return { pointer: instancePath, message: `${problem}${shown}` };
}
