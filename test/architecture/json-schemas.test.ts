import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { toSnakeCase } from '../../src/base/text/snake-case.js';
import { expandPlan } from '../../src/batch/plan/expand-plan.js';
import { defaultsSchema, planSchema, stepSchema } from '../../src/batch/plan/plan-schema.js';
import { CONFIG_KEYS } from '../../src/config/schema.js';
import { GeminiCliProvider } from '../../src/step/gemini-cli-provider.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const planFile = JSON.parse(read('dist/schemas/plan.schema.json'));
const configFile = JSON.parse(read('dist/schemas/config.schema.json'));
const ajv = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true });
const isPlan = ajv.compile(planFile);
const isConfig = ajv.compile(configFile);

const OF_CODE = ['pool', 'onPermission', 'logger'];
const ofFiles = CONFIG_KEYS.filter((key) => !OF_CODE.includes(key));

/** Returns the keys of an object in a schema, without the snake_case spellings that must be there too. */
function keysOf({ properties }: { readonly properties: object }): string[] {
  const keys = Object.keys(properties).filter((key) => key !== '$schema');
  const camel = keys.filter((key) => !key.includes('_'));
  const snake = camel.map(toSnakeCase).filter((key) => key.includes('_'));
  expect(keys.filter((key) => key.includes('_')).sort()).toEqual(snake.sort());
  return camel.sort();
}

describe('the JSON Schema of a plan', () => {
  it('has the keys of the checks, and no others', () => {
    const { plan, defaults, step } = planFile.definitions;
    const settings = Object.keys(defaultsSchema.shape);
    const unique = (keys: readonly string[]) => [...new Set(keys)].sort();
    expect(keysOf(plan)).toEqual(unique([...Object.keys(planSchema.shape), 'defaults', 'steps']));
    expect(keysOf(step)).toEqual(unique([...Object.keys(stepSchema.shape), ...ofFiles]));
    expect(keysOf(defaults)).toEqual(
      unique([...settings, ...ofFiles]).filter((key) => key !== 'resume' && key !== 'sessionId'),
    );
  });

  it('accepts the plans of the documentation and of the demo', () => {
    const pages = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('README.md'))
      .map((path) => read(join('src', path)));
    const documented = pages.flatMap((text) =>
      [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, plan]) => `${plan}`),
    );
    const texts = [...documented, read('integration/examples/demo-plan.yaml')];
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts) expect([isPlan(parse(text)), isPlan.errors]).toEqual([true, null]);
  });

  const step = { id: 'a', prompt: 'x' };
  it.each([
    { $schema: 'x', steps: [step] },
    [step],
    {
      steps: [{ ...step, needs: 'b', inputs: 'c', allowed_tools: 'write_file', timeout: '1h30m' }],
    },
    { steps: [{ id: 'b', prompt: 'x', needs: ['a', { each: 'c' }], when: false }] },
    { defaults: { fallbackModel: ['m'], continue_on_error: true }, max_duration: 5, steps: [step] },
    {
      steps: [{ id: 'a', prompt_file: 'x', expects: { json: 'a.json', no_changes_outside: 'x' } }],
    },
    { steps: [{ ...step, for: { v: ['a', 1, true], file: '*.js' }, expects: { command: 'x' } }] },
  ])('accepts %j', (plan) => {
    expect([isPlan(plan), isPlan.errors]).toEqual([true, null]);
  });

  it.each([
    {},
    { steps: [] },
    { steps: [{ prompt: 'x' }] },
    { steps: [{ id: 'a' }] },
    { steps: [{ ...step, promptFile: 'y' }] },
    { steps: [{ ...step, id: 'a b' }] },
    { steps: [{ ...step, depends_on: ['b'] }] },
    { steps: [{ ...step, timeout: '5 min' }] },
    { steps: [{ ...step, timeout: 0 }] },
    { steps: [{ ...step, needs: [{ every: 'a' }] }] },
    { steps: [{ ...step, when: 5 }] },
    { steps: [{ ...step, for: { v: [] } }] },
    { steps: [{ ...step, retries: -1 }] },
    { steps: [{ ...step, isolation: 'none' }] },
    { steps: [{ ...step, expects: { file: 'x' } }] },
    { steps: [{ ...step, logger: {} }] },
    { steps: [step], concurrency: 0 },
    { steps: [step], defaults: { sessionId: 'x' } },
    { steps: [step], model: 'x' },
  ])('refuses %j, as the check does', async (plan) => {
    expect(isPlan(plan)).toBe(false);
    // A plan from code may have a logger; all other plans are refused there too.
    if (JSON.stringify(plan).includes('logger')) return;
    await expect(expandPlan(JSON.parse(JSON.stringify(plan)))).rejects.toThrow();
  });
});

describe('the JSON Schema of the configuration', () => {
  it('has the keys of the configuration, and a description of each', () => {
    expect(keysOf(configFile)).toEqual([...CONFIG_KEYS].sort());
    for (const key of CONFIG_KEYS) {
      expect(configFile.properties[key].description).toMatch(/^[A-Z].* Default: .*\.$/);
    }
    expect(configFile.properties.timeout.default).toBe(600);
    expect(configFile.properties.approvalMode.default).toBe('auto_edit');
  });

  it('accepts and refuses values', () => {
    const valid = { $schema: 'x', timeout: '5m', extra_args: '--debug', pool: { idleShutdown: 5 } };
    expect([isConfig(valid), isConfig.errors]).toEqual([true, null]);
    for (const wrong of [
      { timeout: 'long' },
      { approvalMode: 'all' },
      { modle: 'x' },
      { pool: 1 },
    ]) {
      expect(isConfig(wrong)).toBe(false);
    }
  });

  it('is part of the metadata of the provider', () => {
    const { configSchema } = GeminiCliProvider.getMetadata();
    expect(configSchema).toEqual(configFile);
    expect(GeminiCliProvider.getMetadata().configSchema).toBe(configSchema);
  });
});
