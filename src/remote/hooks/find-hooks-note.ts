import { dirname } from 'node:path';
import { loadSettings } from '../../agents/gemini/settings-file.js';
import { readEnvironment } from '../../base/process/environment.js';
import { findRemotePath, stateFlag } from '../state/remote-folder.js';
import { findHooksOff } from './find-hooks-off.js';
import { findLinkedFolder, isLinked } from './is-linked.js';

const LEAD = 'Sessions at the desk are not seen';

export interface HooksQuery {
  readonly geminiHome: string;
  /** State folder that was given to the command; undefined if none was. */
  readonly state: string | undefined;
  /** True if the hooks must talk to the server of this state folder also where none was given. Default: false. */
  readonly isExact?: boolean;
}

/** Returns a sentence that says why sessions at the desk are not seen, and what to do. Undefined if the hooks are linked and on. */
export function findHooksNote({ geminiHome, state, isExact }: HooksQuery): string | undefined {
  const install = `Run: gemini-cli-provider remote install${stateFlag(state)}`;
  const linked = findLinkedFolder(geminiHome);
  if (linked === undefined) return `${LEAD}: the hooks are not linked into the CLI. ${install}`;
  const path = findRemotePath(readEnvironment(), state);
  if ((isExact === true || state !== undefined) && !isLinked(geminiHome, path))
    return `${LEAD}: the hooks are linked to the server of ${dirname(linked)}, not to that of ${path}. ${install}`;
  const { user } = loadSettings(geminiHome, geminiHome);
  const off = findHooksOff(user === undefined ? [] : [user]);
  return off === undefined ? undefined : `${LEAD}: ${off.problem}. ${off.fix}`;
}

/** True for a sentence of `findHooksNote`. */
export function isHooksNote(note: string): boolean {
  return note.startsWith(LEAD);
}
