import type { SessionLocation } from '../../api/session.js';
import { geminiHomeAt } from '../files/gemini-home.js';
import { findSlug, projectFolders } from '../files/project-folders.js';

/** The CLI's short name for a project, or the hash that an older version used; undefined where it has none. */
export function projectName(
  projectDir: string,
  location: Omit<SessionLocation, 'projectDir'> = {},
): string | undefined {
  const query = { geminiHome: geminiHomeAt(location), projectDir };
  return findSlug(query) ?? projectFolders(query)[0];
}
