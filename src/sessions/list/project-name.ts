import type { SessionLocation } from '../../api/session.js';
import { findSlug, projectFolders } from '../files/project-folders.js';
import { geminiHomeAt } from './session-places.js';

/** The CLI's short name for a project, or the hash that an older version used; undefined where it has none. */
export function projectName(
  projectDir: string,
  place: Omit<SessionLocation, 'projectDir'> = {},
): string | undefined {
  const query = { geminiHome: geminiHomeAt(place), projectDir };
  return findSlug(query) ?? projectFolders(query)[0];
}
