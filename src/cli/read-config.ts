import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '../base/errors/message-of.js';
import { isObject } from '../base/json/is-object.js';
import { invalidConfig } from '../config/config-problem.js';
import { findConfigKey } from '../config/key-spelling.js';
import { createStderrLogger } from '../config/logging.js';
import { CONFIG_FLAGS } from './config-flags.js';

type Values = Readonly<Record<string, unknown>>;

/** Flags that do not become a configuration key of the same name. */
const CONVERTED_FLAGS: ReadonlySet<string> = new Set([
  'cwd',
  'workingDir',
  'systemPrompt',
  'systemPromptFile',
  'systemPromptMode',
  'logLevel',
]);

/** Reads the configuration from the config file and the flags. A flag overrides the file. */
export async function readConfig(flags: Values): Promise<Record<string, unknown>> {
  const file = flags['config'];
  const config = typeof file === 'string' ? await readConfigFile(file) : {};
  for (const flag of CONFIG_FLAGS) {
    const name = flag.attributeName();
    if (!CONVERTED_FLAGS.has(name)) override(config, name, flags[name]);
  }
  override(config, 'workingDir', flags['cwd'] ?? flags['workingDir']);
  override(config, 'systemPrompt', readSystemPrompt(flags, config));
  const level = flags['logLevel'];
  if (level === 'debug' || level === 'info' || level === 'warn') {
    config['logger'] = await createStderrLogger(level);
  }
  return config;
}

/**
 * Reads the settings of a config file, with keys in any spelling. Values are not checked here. Throws INVALID_CONFIG.
 * Exported for its test.
 */
export async function readConfigFile(path: string): Promise<Record<string, unknown>> {
  const fail = (problem: string) => invalidConfig([{ key: 'config', value: path, problem }]);
  const { parseDocument } = await import('../batch/plan/parse-document.js');
  // Every JSON text is YAML too, so one parser reads both.
  const { content, faults } = parseDocument(readText(path, fail), 'yaml');
  const [fault] = faults;
  if (fault !== undefined) {
    throw fail(['line', fault.line, ...fault.path, fault.problem].join(' '));
  }
  if (!isObject(content)) throw fail('must be a mapping of keys to values');
  return content;
}

function readText(path: string, fail: (problem: string) => Error): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw fail(messageOf(error));
  }
}

function override(config: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) return;
  for (const spelling of spellingsOf(config, key)) delete config[spelling];
  config[key] = value;
}

function spellingsOf(config: Values, key: string): string[] {
  return Object.keys(config).filter((spelling) => findConfigKey(spelling) === key);
}

function readSystemPrompt(flags: Values, config: Values): unknown {
  const { systemPrompt: text, systemPromptFile: file, systemPromptMode: mode } = flags;
  // The path is relative to the current folder of the shell, not to the working directory of the step.
  if (typeof file === 'string') return { mode: mode ?? 'prepend', file: resolve(file) };
  if (text !== undefined) return { mode: mode ?? 'prepend', text };
  return mode === undefined ? undefined : changeMode(config, mode);
}

/** Applies a mode that is given alone to the system prompt of the config file. */
function changeMode(config: Values, mode: unknown): unknown {
  const [given] = spellingsOf(config, 'systemPrompt').map((spelling) => config[spelling]);
  if (typeof given === 'string') return { mode, text: given };
  if (typeof given === 'object' && given !== null) return { ...given, mode };
  const problem = 'needs a system prompt, from a flag or the config file';
  throw invalidConfig([{ key: 'systemPromptMode', value: mode, problem }]);
}
