import { z } from 'zod';
import type { CapabilitiesOptions } from '../../api/capabilities.js';
import { readInput } from '../../base/errors/invalid-input.js';
import { readOptions } from '../../config/accept-config.js';
import { checkValues } from '../../config/check-values.js';
import { invalidConfig } from '../../config/config-problem.js';

const text = z.string().min(1).optional();
const detectShape = { cliPath: text, workingDir: text };
const detectSchema = z.strictObject(detectShape);
const capabilitiesSchema = z.strictObject({ ...detectShape, ask: z.boolean().optional() });

/** Checks the options of `getCapabilities` or `detectCli`. Throws INVALID_CONFIG with every problem at once. */
export function acceptCapabilitiesOptions(
  input: unknown,
  of: 'getCapabilities' | 'detectCli',
): CapabilitiesOptions {
  const schema = of === 'detectCli' ? detectSchema : capabilitiesSchema;
  return readInput('options', () => {
    const { data, problems } = checkValues(schema, readOptions(input, 'options'), ['options']);
    if (data === undefined) throw invalidConfig(problems);
    return data;
  });
}
