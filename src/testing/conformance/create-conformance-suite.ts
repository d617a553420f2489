import { invalidInput, readInput } from '../../base/errors/invalid-input.js';
import { isObject } from '../../base/json/is-object.js';
import type { ConformanceOptions, ConformanceSuite } from './conformance-subject.js';
import { listCancelChecks, listProviderChecks } from './ending-checks.js';
import { listEventChecks } from './event-checks.js';
import { listFailureChecks } from './failure-checks.js';
import { listResultChecks } from './result-checks.js';
import { createSharedSteps } from './shared-steps.js';

/** Creates the checks of the contract of `ResponseProvider` for one provider. Nothing runs before the first check. */
export function createConformanceSuite(options: ConformanceOptions): ConformanceSuite {
  return readInput('options', () => createChecks(assertObject(options, 'options')));
}

function createChecks(options: ConformanceOptions): ConformanceSuite {
  const { open, prompts }: Partial<ConformanceOptions> = options;
  if (typeof open !== 'function') throw invalidInput('options.open', 'a function', open);
  assertObject(prompts, 'options.prompts');
  const steps = createSharedSteps(options);
  return {
    checks: [
      ...listEventChecks(steps),
      ...listResultChecks(steps),
      ...listFailureChecks(steps),
      ...listCancelChecks(steps),
      ...listProviderChecks(steps),
    ],
    close: steps.close,
  };
}

/** Functions of a test framework: of vitest `{ it, after: afterAll }`, of node:test `{ it, after }`. */
export interface TestFunctions {
  /** Adds a test. */
  readonly it: (name: string, run: () => Promise<void>) => unknown;
  /** Adds a function that runs after all tests. */
  readonly after: (run: () => Promise<void>) => unknown;
}

/** Adds one test for each check to a test framework, and closes the providers after the last. */
export function addConformanceTests(tests: TestFunctions, options: ConformanceOptions): void {
  const { it, after } = readInput('tests', () => ({ ...assertObject(tests, 'tests') }));
  if (typeof it !== 'function') throw invalidInput('tests.it', 'a function', it);
  if (typeof after !== 'function') throw invalidInput('tests.after', 'a function', after);
  const { checks, close } = createConformanceSuite(options);
  for (const { name, run } of checks) it(name, run);
  after(close);
}

function assertObject<T>(value: T, name: string): T {
  if (!isObject(value)) throw invalidInput(name, 'an object', value);
  return value;
}
