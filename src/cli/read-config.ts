import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '../base/errors/message-of.js';
import { isObject } from '../base/json/is-object.js';
import { invalidConfig } from '../config/config-problem.js';
import { findConfigKey } from '../config/key-spelling.js';
import { createStderrLogger } from '../config/logging.js';
import { CONFIG_FLAGS } from './config-flags.js';

type Values = Readonly<Record<string, unknown>>;

const IN_OTHER_FORM: ReadonlySet<string> = new Set([
  'cwd',
  'workingDir',
  'systemPrompt',
  'systemPromptFile',
  'systemPromptMode',
  'logLevel',
]);

/** The configuration that the file and the flags give; a flag beats the file. */
export async function readConfig(flags: Values): Promise<Record<string, unknown>> {
  const file = flags['config'];
  const config = typeof file === 'string' ? await readConfigFile(file) : {};
  for (const flag of CONFIG_FLAGS) {
    const name = flag.attributeName();
    if (!IN_OTHER_FORM.has(name)) override(config, name, flags[name]);
  }
  override(config, 'workingDir', flags['cwd'] ?? flags['workingDir']);
  override(config, 'systemPrompt', readSystemPrompt(flags, config));
  const level = flags['logLevel'];
  if (level === 'debug' || level === 'info' || level === 'warn') {
    config['logger'] = await createStderrLogger(level);
  }
  return config;
}

/** Settings by name, in any spelling. Their values are not checked here. Throws INVALID_CONFIG. */
export async function readConfigFile(path: string): Promise<Record<string, unknown>> {
  const fail = (problem: string) => invalidConfig([{ key: 'config', value: path, problem }]);
  const { parseDocument } = await import('../batch/plan/parse-document.js');
  // Every JSON text is YAML too, so one parser reads both.
  const { content, faults } = parseDocument(readText(path, fail), 'yaml');
  const [fault] = faults;
  if (fault !== undefined) {
    throw fail(['line', fault.line, ...fault.path, fault.problem].join(' '));
  }
  if (!isObject(content)) throw fail('must hold settings by name');
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
  // From where the person is, as their shell completes it: the working directory may be elsewhere.
  if (typeof file === 'string') return { mode: mode ?? 'prepend', file: resolve(file) };
  if (text !== undefined) return { mode: mode ?? 'prepend', text };
  return mode === undefined ? undefined : changeMode(config, mode);
}

/** The mode alone is for the prompt of the config file. */
function changeMode(config: Values, mode: unknown): unknown {
  const [given] = spellingsOf(config, 'systemPrompt').map((spelling) => config[spelling]);
  if (typeof given === 'string') return { mode, text: given };
  if (typeof given === 'object' && given !== null) return { ...given, mode };
  const problem = 'changes nothing without a system prompt';
  throw invalidConfig([{ key: 'systemPromptMode', value: mode, problem }]);
}
