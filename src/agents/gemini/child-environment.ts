import {
  type Environment,
  OWN_VARIABLES,
  PRIVATE_VARIABLES,
} from '../../base/process/environment.js';
import { PROCESS_TAG_VARIABLE } from '../../base/process/process-tree.js';

/** Variables that any program needs (paths, locale, proxies), and those that the CLI documents. */
const ALLOWED_NAMES: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TMP',
  'TEMP',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'CLOUDSDK_CONFIG',
  // Sandboxes: the sockets of docker and podman, and the CLI's own switches.
  'DOCKER_HOST',
  'DOCKER_CONFIG',
  'SEATBELT_PROFILE',
  'BUILD_SANDBOX',
  // Windows
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'USERPROFILE',
  'USERNAME',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROCESSOR_ARCHITECTURE',
]);
const ALLOWED_PREFIXES = ['GEMINI_', 'GOOGLE_', 'LC_', 'XDG_', 'SANDBOX_'];

export interface ChildEnvironmentRequest {
  readonly parent: Environment;
  readonly inheritAll: boolean;
  /** Variables from the option `env`; `true` passes the value of the parent process on. */
  readonly additions: Readonly<Record<string, string | true>>;
  /** Variables that the step sets for the CLI; undefined removes an inherited one. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly processTag: string;
}

/** Builds the environment of the CLI from an allow-list, the variables of the step and those of the caller. */
export function buildChildEnvironment(request: ChildEnvironmentRequest): Record<string, string> {
  const { parent, inheritAll, additions } = request;
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value !== undefined && (inheritAll || isAllowed(name))) child[name] = value;
  }
  for (const name of PRIVATE_VARIABLES) delete child[name];
  // Without these two variables, the CLI begins with a warning about the terminal.
  Object.assign(child, { TERM: 'xterm-256color', COLORTERM: 'truecolor' });
  for (const [name, value] of Object.entries(request.settings)) {
    if (value === undefined) delete child[name];
    else child[name] = value;
  }
  for (const [name, addition] of Object.entries(additions)) {
    const value = addition === true ? parent[name] : addition;
    if (value !== undefined) child[name] = value;
  }
  // Otherwise the CLI would start itself a second time, and the first process ignores SIGTERM.
  child['GEMINI_CLI_NO_RELAUNCH'] = 'true';
  child[PROCESS_TAG_VARIABLE] = request.processTag;
  // No option passes them on.
  for (const name of OWN_VARIABLES) delete child[name];
  return child;
}

function isAllowed(name: string): boolean {
  const upper = name.toUpperCase();
  return ALLOWED_NAMES.has(upper) || ALLOWED_PREFIXES.some((prefix) => upper.startsWith(prefix));
}
