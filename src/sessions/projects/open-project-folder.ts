import { join } from 'node:path';
import { sha256 } from '../../base/fs/fingerprint.js';
import { statIfThere } from '../../base/fs/stats.js';
import { findSlug } from '../files/project-folders.js';
import { registerProject } from './project-registry.js';

/**
 * Returns the folder of a project below `tmp`, and registers the project if the CLI does not know it. Undefined if the
 * registry stays locked.
 */
export async function openProjectFolder(
  geminiHome: string,
  projectDir: string,
): Promise<string | undefined> {
  const tmp = join(geminiHome, 'tmp');
  // Older versions of the CLI have no registry, and name the folder by the hash of the path.
  const isOld = statIfThere(join(geminiHome, 'projects.json')) === undefined;
  if (isOld) return join(tmp, sha256(projectDir));
  const slug =
    findSlug({ geminiHome, projectDir }) ?? (await registerProject(geminiHome, projectDir));
  return slug === undefined ? undefined : join(tmp, slug);
}
