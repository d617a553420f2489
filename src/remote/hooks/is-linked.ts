import { join } from 'node:path';
import { realpathOf } from '../../base/fs/paths.js';
import { isObject } from '../../base/json/is-object.js';
import { readJson } from '../state/read-json.js';
import { EXTENSION_NAME } from './extension-files.js';

/** Returns the folder of the extension that is linked into the CLI. Undefined if none is. */
export function findLinkedFolder(geminiHome: string): string | undefined {
  const file = join(geminiHome, 'extensions', EXTENSION_NAME, '.gemini-extension-install.json');
  const installed = readJson(file);
  if (!isObject(installed)) return undefined;
  return typeof installed['source'] === 'string' ? installed['source'] : undefined;
}

/** True if the hooks of the CLI talk to the server with this state folder, by whatever path. */
export function isLinked(geminiHome: string, state: string): boolean {
  const linked = findLinkedFolder(geminiHome);
  return linked !== undefined && realpathOf(linked) === realpathOf(join(state, 'extension'));
}
