import { readFileSync, statfsSync } from 'node:fs';

const MEMORY = '/dev/shm';
/** Some tests let a program print for ever, until it is ended. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Puts what tests write into memory: they make and remove folders by the thousand, which is a quarter of their time on
 * a disk. Whoever wants them elsewhere sets TMPDIR.
 */
export function temporaryFolder(): Record<string, string> {
  const isChosen = process.env['TMPDIR'] !== undefined;
  return isChosen || !isFitForTests() ? {} : { TMPDIR: MEMORY };
}

/** In a container it is often small, or closed to programs, of which the tests write some. */
function isFitForTests(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const options = mounts.map((line) => line.split(' ')).findLast(([, at]) => at === MEMORY)?.[3];
    const { bavail, bsize } = statfsSync(MEMORY);
    const flags = options?.split(',') ?? ['ro'];
    return !flags.includes('noexec') && !flags.includes('ro') && bavail * bsize > NEEDED_BYTES;
  } catch {
    return false;
  }
}
