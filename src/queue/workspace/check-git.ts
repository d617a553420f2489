import { ProviderError } from '../../base/errors/provider-error.js';
import { askGit } from '../../base/git/run-git.js';
import { readEnvironment } from '../../base/process/environment.js';

const OLDEST = { major: 2, minor: 38 };
/** Values of PATH for which git was found. */
const checked = new Set<string>();

/** Throws if there is no git, or one that is too old for the merge of changes. Asks git once for each PATH. */
export async function checkGit(signal?: AbortSignal): Promise<void> {
  const path = readEnvironment()['PATH'] ?? '';
  if (checked.has(path)) return;
  const { exitCode, stdout } = await askGit({ folder: '/' }, ['version'], { signal });
  if (signal?.aborted) {
    throw new ProviderError({
      code: 'CANCELLED',
      message: 'The step was cancelled while its workspace was prepared',
    });
  }
  const version = stdout.toString().trim();
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  const isNewEnough =
    Number(major) > OLDEST.major ||
    (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor);
  if (exitCode !== 0 || !isNewEnough) {
    const found = exitCode === 0 ? `found "${version}"` : 'git is not on PATH';
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `A workspace travels with git ${OLDEST.major}.${OLDEST.minor} or newer; ${found}`,
      hint: 'Install or update git on both sides of the queue, or set `workspace: shared`.',
    });
  }
  checked.add(path);
}
