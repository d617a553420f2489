import { readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import { messageOf } from '../base/errors/message-of.js';
import { invalidConfig } from '../config/config-problem.js';

/** Settings by name, in whatever spelling; nobody has checked their values. Throws INVALID_CONFIG. */
export function readConfigFile(path: string): Record<string, unknown> {
  const fail = (problem: string) => invalidConfig([{ key: 'config', value: path, problem }]);
  let content: unknown;
  try {
    // JSON is YAML.
    content = parseYaml(readFileSync(path, 'utf8'));
  } catch (error) {
    throw fail(messageOf(error));
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw fail('must hold settings by name');
  }
  return { ...content };
}
