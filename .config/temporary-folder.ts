import { readFileSync, statfsSync } from 'node:fs';

const MEMORY = '/dev/shm';
/** Some tests run a program that prints until the test ends the program. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Lets tests write into memory: they create and remove thousands of folders, which takes a quarter of their time on a
 * disk. Set TMPDIR to choose another folder.
 */
export function temporaryFolder(): Record<string, string> {
  const isChosen = process.env['TMPDIR'] !== undefined;
  return isChosen || !isFitForTests() ? {} : { TMPDIR: MEMORY };
}

/** False if the folder is too small or mounted `noexec`, as in many containers: tests write programs and run them. */
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
