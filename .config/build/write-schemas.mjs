import { mkdirSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { readComments } from './read-comments.mjs';

/** @typedef {Record<string, unknown>} Schema */

const DIALECT = 'http://json-schema.org/draft-07/schema#';
/** Keys that a plan file cannot set. */
const OF_CODE = ['pool', 'onPermission', 'logger'];
/** Keys of a plan that take one value in the place of a list. */
const ONE_OR_LIST = ['inputs', 'needs', 'fallbackModel'];

/**
 * Writes the JSON Schemas of plans and of the configuration, for editors and engines. Forms come from the zod schemas,
 * descriptions and defaults from the comments of the public types.
 * @param {string} root
 */
export async function writeSchemas(root) {
  const { configSchema } = await import(`${root}.build/config/schema.js`);
  const { takesOneOrList } = await import(`${root}.build/config/one-or-list.js`);
  const plan = await import(`${root}.build/batch/plan/plan-schema.js`);
  const comments = readComments(root);

  const config = describe(propertiesOf(configSchema), comments('ProviderConfig'));
  for (const [key, schema] of Object.entries(config)) {
    if (takesOneOrList(key)) config[key] = oneOrList(schema);
  }
  config['expects'] = {
    ...config['expects'],
    properties: withSnakeCase(
      describe(inner(config['expects']), comments('Expectations')),
      '#/properties/expects',
    ),
  };
  write(root, 'config', {
    $schema: DIALECT,
    title: 'Configuration of gemini-cli-provider',
    type: 'object',
    additionalProperties: false,
    properties: { $schema: { type: 'string' }, ...withSnakeCase(config, '#') },
  });

  const expects = structuredClone(config['expects']);
  const inExpects = describe(
    inner(propertiesOf(configSchema)['expects']),
    comments('Expectations'),
  );
  inExpects['json'] = { ...inExpects['json'], type: ['object', 'string'] };
  expects['properties'] = withSnakeCase(inExpects, '#/definitions/expects');
  const ofFiles = Object.fromEntries(
    Object.entries(config).filter(([key]) => !OF_CODE.includes(key)),
  );
  const settings = (/** @type {z.ZodObject} */ schema, /** @type {string} */ type) => {
    const own = describe(propertiesOf(schema), comments(type));
    for (const key of ONE_OR_LIST) if (own[key] !== undefined) own[key] = oneOrList(own[key]);
    /** @type {Record<string, Schema>} */
    const all = { ...ofFiles, ...own, expects: { $ref: '#/definitions/expects' } };
    return all;
  };
  const step = settings(plan.stepSchema, 'PlanStep');
  const defaults = settings(plan.defaultsSchema, 'StepSettings');
  for (const key of ['sessionId', 'resume']) delete defaults[key];
  const top = {
    ...describe(propertiesOf(plan.planSchema), comments('BatchPlan')),
    defaults: { $ref: '#/definitions/defaults' },
    steps: { type: 'array', minItems: 1, items: { $ref: '#/definitions/step' } },
  };
  write(root, 'plan', {
    $schema: DIALECT,
    title: 'Plan of a batch of gemini-cli-provider',
    anyOf: [
      { $ref: '#/definitions/plan' },
      { type: 'array', minItems: 1, items: { $ref: '#/definitions/step' } },
    ],
    definitions: {
      plan: {
        type: 'object',
        additionalProperties: false,
        required: ['steps'],
        properties: { $schema: { type: 'string' }, ...withSnakeCase(top, '#/definitions/plan') },
      },
      defaults: {
        type: 'object',
        description: comments('BatchPlan').get('defaults')?.['description'],
        additionalProperties: false,
        properties: withSnakeCase(defaults, '#/definitions/defaults'),
      },
      step: {
        type: 'object',
        additionalProperties: false,
        required: ['id'],
        oneOf: ['prompt', 'promptFile', 'prompt_file'].map((key) => ({ required: [key] })),
        properties: withSnakeCase(step, '#/definitions/step'),
      },
      expects,
    },
  });
}

/**
 * @param {string} root
 * @param {string} name
 * @param {Schema} schema
 */
function write(root, name, schema) {
  mkdirSync(`${root}dist/schemas`, { recursive: true });
  writeFileSync(`${root}dist/schemas/${name}.schema.json`, `${JSON.stringify(schema, null, 1)}\n`);
}

/**
 * @param {z.ZodType} schema
 * @returns {Schema}
 */
function toJson(schema) {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'output',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      // A value that is transformed is written in its input form.
      if (def.type === 'pipe' && def.out._zod.def.type === 'transform') {
        Object.assign(jsonSchema, toJson(/** @type {z.ZodType} */ (def.in)));
      }
      // The limit of whole numbers in JavaScript says nothing to a reader.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // An object from code, such as a shared pool, would allow every value.
      if (jsonSchema.anyOf !== undefined) {
        jsonSchema.anyOf = jsonSchema.anyOf.filter((member) => Object.keys(member).length > 0);
      }
    },
  });
  return json;
}

/**
 * @param {z.ZodObject} schema
 * @returns {Record<string, Schema>}
 */
function propertiesOf(schema) {
  return inner(toJson(schema));
}

/**
 * @param {Schema | undefined} schema
 * @returns {Record<string, Schema>}
 */
function inner(schema) {
  return /** @type {Record<string, Schema>} */ (schema?.['properties'] ?? {});
}

/**
 * Adds descriptions and defaults. Throws for a key without a description.
 * @param {Record<string, Schema>} properties
 * @param {ReadonlyMap<string, Schema>} comments
 * @returns {Record<string, Schema>}
 */
function describe(properties, comments) {
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => {
      const comment = comments.get(key);
      if (comment === undefined) throw new Error(`The key ${key} has no comment in its type`);
      return [key, { ...comment, ...schema }];
    }),
  );
}

/**
 * @param {Schema} schema
 * @returns {Schema}
 */
function oneOrList({ description, default: usual, ...list }) {
  const items = list['items'];
  const alternatives = /** @type {Schema[]} */ (list['anyOf'] ?? [list]);
  const one = items ?? alternatives.find((member) => member['items'] !== undefined)?.['items'];
  return {
    description,
    ...(usual === undefined ? {} : { default: usual }),
    anyOf: [one, ...alternatives],
  };
}

/**
 * Adds the snake_case spelling of each key.
 * @param {Record<string, Schema>} properties
 * @param {string} base path of the object in the schema
 */
function withSnakeCase(properties, base) {
  const snake = Object.keys(properties).flatMap((key) => {
    const spelling = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return spelling === key ? [] : [[spelling, { $ref: `${base}/properties/${key}` }]];
  });
  return { ...properties, ...Object.fromEntries(snake) };
}
