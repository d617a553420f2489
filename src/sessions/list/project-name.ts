import type { SessionLocation } from '../../api/session-list.js';
import { geminiHomeAt } from '../files/gemini-home.js';
import { findSlug, projectFolders } from '../files/project-folders.js';
import { acceptLocation, acceptPath } from '../session-input.js';

/** Returns the CLI's short name for a project, or the hash of an older version. Undefined if the CLI has no name. */
export function projectName(
  projectDir: string,
  location: Omit<SessionLocation, 'projectDir'> = {},
): string | undefined {
  const geminiHome = geminiHomeAt(acceptLocation(location));
  const query = { geminiHome, projectDir: acceptPath('projectDir', projectDir) };
  return findSlug(query) ?? projectFolders(query)[0];
}
