import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, Options } from 'ajv';
import type { AnswerSchema, SchemaLike } from '../api/expectations.js';

/** One place in a value that is not as the schema wants it. */
export interface SchemaProblem {
  /** A JSON pointer; empty for the value itself. */
  readonly pointer: string;
  readonly message: string;
}

export type CheckedAnswer =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] };

export type AnswerCheck = (value: unknown) => CheckedAnswer;

/** `format` is a remark in draft 2020-12, and words that the draft does not know are left alone. */
const OPTIONS: Options = { allErrors: true, strict: false, validateFormats: false, logger: false };

/** Loaded by those alone who need it: it takes as long as the rest of the package. */
const load = createRequire(import.meta.url);
const checks = new WeakMap<object, AnswerCheck>();

/** How answers are checked by this schema; made once for each. Throws where it is no schema. */
export function createAnswerCheck(schema: AnswerSchema): AnswerCheck {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const check = isSchemaLike(schema) ? checkByParsing(schema) : checkByJsonSchema(schema);
  checks.set(schema, check);
  return check;
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

/** The draft that it names; 2020-12 where it names none, else the one before, whose lists of `items` differ. */
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

/** One for each schema: two of them may have the same `$id`. */
function draft2020(): Ajv {
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = load('ajv/dist/2020.js');
  return new Ajv2020(OPTIONS);
}

function draft07(): Ajv {
  const { Ajv }: typeof import('ajv') = load('ajv');
  return new Ajv(OPTIONS);
}

function describeError({ instancePath, message, keyword, params }: ErrorObject): SchemaProblem {
  const told = message ?? `does not pass "${keyword}"`;
  const more = params['additionalProperty'] ?? params['unevaluatedProperty'];
  const allowed = params['allowedValues'] ?? params['allowedValue'];
  const detail = more ?? allowed;
  const shown = detail === undefined ? '' : `: ${JSON.stringify(detail)}`;
  return { pointer: instancePath, message: `${told}${shown}` };
}
