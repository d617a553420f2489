import { execFileSync } from 'node:child_process';

const AUTHOR = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false'];

/** Runs git as a user would, with fixed settings for tests. */
export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', folder, ...AUTHOR, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
