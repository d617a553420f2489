import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '../process/environment.js';

/** Returns the folder of this package in the user's state directory, as the conventions of the platform have it. */
export function findStateDirectory(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string {
  return join(findParent(environment, platform), 'gemini-cli-provider');
}

function findParent(environment: Environment, platform: NodeJS.Platform): string {
  const home = environment['HOME'] || homedir();
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: localAppData } = environment;
  switch (platform) {
    case 'win32':
      return localAppData || join(home, 'AppData', 'Local');
    case 'darwin':
      return join(home, 'Library', 'Application Support');
    default:
      return xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.local', 'state');
  }
}
