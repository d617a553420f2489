import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TESTED_CLI } from '../../agents/gemini/cli-features.js';
import { findSetting, loadSettings, settingsInForce } from '../../agents/gemini/settings-file.js';
import { decideTrust } from '../../agents/gemini/trust.js';
import type { Finding } from '../../api/diagnosis.js';
import { isObject } from '../../base/json/is-object.js';
import { EXTENSION_NAME } from '../hooks/extension-files.js';
import { findHooksOff } from '../hooks/find-hooks-off.js';
import { findLinkedFolder, isLinked } from '../hooks/is-linked.js';
import { readJson } from '../state/read-json.js';

/** What the checks of remote control look at. */
export interface RemoteSurroundings {
  readonly geminiHome: string;
  readonly workingDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** State folder of the server. */
  readonly folder: string;
  /** Why the state folder cannot be used; undefined if it can, or is not there yet. */
  readonly folderProblem: string | undefined;
  /** Command that links the hooks into the CLI. */
  readonly install: string;
  /** Why tmux cannot be used; undefined if it can. */
  readonly tmuxProblem: string | undefined;
  /** Version of the CLI, if it is known. */
  readonly cliVersion: string | undefined;
  /** Address on which a running server listens; undefined if none runs. */
  readonly address: string | undefined;
}

const LOOPBACK = /^(127\.|::1$|localhost$)/;

/** Finds what keeps remote control from working, wholly or in part. A step works in any case, so nothing is a problem here. */
export function checkDesk(surroundings: RemoteSurroundings): readonly Finding[] {
  const { geminiHome, workingDir, env, tmuxProblem, cliVersion, address, folder } = surroundings;
  const settings = loadSettings(geminiHome, workingDir);
  const trust = decideTrust({ settings, env, geminiHome, workingDir });
  const files = settingsInForce(settings, trust.readsProject);
  const off = findHooksOff(files);
  const isSet = (path: string, value: boolean): boolean => findSetting(files, path) === value;
  const isTested = cliVersion === undefined || minorOf(cliVersion) === minorOf(TESTED_CLI);
  return [
    judge(
      'tmux',
      tmuxProblem,
      'Can be used',
      'Install tmux 3.2 or newer, for example with apt install tmux or brew install tmux.',
    ),
    judge(
      'screens',
      isTested ? undefined : `The screens of CLI ${cliVersion} were not tested`,
      `Tested with CLI ${TESTED_CLI}`,
      `Sessions at the desk may only be watched. Use CLI ${TESTED_CLI} to control them.`,
    ),
    judge(
      'state folder',
      surroundings.folderProblem && `${folder} ${surroundings.folderProblem}`,
      folder,
      `Remove the folder, or close it to other users: chmod 700 ${folder}`,
    ),
    judge(
      'hooks',
      findExtensionProblem(surroundings),
      'Linked into the CLI',
      `Run: ${surroundings.install}`,
    ),
    judge('hooks setting', off?.problem, 'On', off?.fix ?? ''),
    judge(
      'window title',
      isSet('ui.hideWindowTitle', true) || isSet('ui.dynamicWindowTitle', false)
        ? 'The window title is turned off'
        : undefined,
      'On',
      'Remove ui.hideWindowTitle and ui.dynamicWindowTitle from settings.json: the title tells whether a session works.',
    ),
    judge(
      'vim mode',
      isSet('general.vimMode', true) ? 'Vim mode is on' : undefined,
      'Off',
      'Set general.vimMode to false: in its normal mode, pasted prompts are commands.',
    ),
    judge(
      'key bindings',
      existsSync(join(geminiHome, 'keybindings.json'))
        ? `${join(geminiHome, 'keybindings.json')} changes keys of the CLI`
        : undefined,
      'Those of the CLI',
      'Keep Enter, Escape, Tab, Shift+Tab and Ctrl+Y as they are, or remove the file.',
    ),
    judge(
      'desk trust',
      trust.isTrusted ? undefined : trust.message,
      trust.message,
      'Answer the question about trust at the desk once: a device cannot do it.',
    ),
    judge(
      'bind address',
      address === undefined || LOOPBACK.test(address)
        ? undefined
        : `The server listens on ${address}, not on this machine alone`,
      address === undefined ? 'No server is running' : address,
      'Prefer 127.0.0.1 behind a tunnel, such as tailscale serve.',
    ),
  ];
}

function judge(name: string, problem: string | undefined, fine: string, fix: string): Finding {
  const check = `remote: ${name}`;
  return problem === undefined
    ? { check, status: 'ok', message: fine }
    : { check, status: 'note', message: problem, fix };
}

function findExtensionProblem({
  geminiHome,
  workingDir,
  folder,
}: RemoteSurroundings): string | undefined {
  const linked = findLinkedFolder(geminiHome);
  if (linked === undefined) return 'The hooks are not linked into the CLI';
  if (!isLinked(geminiHome, folder)) return `The hooks are linked to another folder: ${linked}`;
  const extension = join(folder, 'extension');
  if (!existsSync(join(extension, 'bridge.sh'))) return `${extension} has no bridge.sh`;
  const enablement = readJson(join(geminiHome, 'extensions', 'extension-enablement.json'));
  const entry = isObject(enablement) ? enablement[EXTENSION_NAME] : undefined;
  const overrides = isObject(entry) && Array.isArray(entry['overrides']) ? entry['overrides'] : [];
  return isDisabled(overrides.map(String), workingDir)
    ? `The extension ${EXTENSION_NAME} is disabled here`
    : undefined;
}

/** The last rule that matches the folder decides. A rule that begins with `!` disables; a star stands for all folders below. */
function isDisabled(overrides: readonly string[], workingDir: string): boolean {
  const folder = `${workingDir}/`;
  const last = overrides.findLast((rule) => {
    const path = rule.replace(/^!/, '');
    return path.endsWith('*')
      ? folder.startsWith(path.slice(0, -1))
      : `${path.replace(/\/$/, '')}/` === folder;
  });
  return last?.startsWith('!') === true;
}

function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}
