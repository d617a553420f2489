import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { Script } from '../../testing/index.js';

const MODULES = ['.mjs', '.js', '.cjs', '.mts', '.ts'];
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads the script of `mock`: YAML, JSON, or a module. `startScriptedModel` checks it. Throws INVALID_INPUT. */
export async function readScript(file: string): Promise<Script> {
  const content = MODULES.includes(extname(file))
    ? await importScript(file)
    : await parseScript(file);
  // A rule alone is a script, too: YAML users forget the dash.
  const script: unknown = isRule(content) ? [content] : content;
  if (!isScript(script)) throw invalidScript(file, 'must be a list of rules or turns');
  return script;
}

/** The entries are checked before the model starts, with better messages. */
function isScript(content: unknown): content is Script {
  return Array.isArray(content);
}

function isRule(content: unknown): boolean {
  return typeof content === 'object' && content !== null && 'turns' in content;
}

async function importScript(file: string): Promise<unknown> {
  try {
    const module: Readonly<Record<string, unknown>> = await import(
      pathToFileURL(resolve(file)).href
    );
    return module['script'] ?? module['default'];
  } catch (cause) {
    throw invalidScript(file, `cannot be imported: ${messageOf(cause)}`, cause);
  }
}

async function parseScript(file: string): Promise<unknown> {
  const { readTextFile } = await import('../../batch/plan/read-text-file.js');
  const { parseDocument } = await import('../../batch/plan/parse-document.js');
  const read = readTextFile(file, MOST_BYTES);
  if ('problem' in read) throw invalidScript(file, read.problem);
  const { content, faults } = parseDocument(read.text, 'yaml');
  const [fault] = faults;
  if (fault === undefined) return content;
  throw invalidScript(`${file}:${fault.line}`, [...fault.path, fault.problem].join(' '));
}

function invalidScript(where: string, problem: string, cause?: unknown): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `The script ${where} ${problem}`,
    hint: 'A script is a list of rules: gemini-cli-provider mock --help shows one.',
    cause,
  });
}
