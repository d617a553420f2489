import { expect, it } from 'vitest';
import { readStartTime } from '../../../src/base/process/process-table.js';
import { isOtherCli } from '../../../src/remote/desk/is-other-cli.js';

const identify = (pid: number) => ({ pid, startTime: readStartTime(pid) });
const own = identify(process.pid);
const parent = identify(process.ppid);

it('a hook of another process is one of another CLI, as long as the known one lives', () => {
  expect(isOtherCli(own, parent)).toBe(true);
  expect(isOtherCli(own, own)).toBe(false);
  expect(isOtherCli({ pid: process.pid, startTime: undefined }, own)).toBe(false);
  expect(isOtherCli({ pid: 2 ** 30, startTime: 1 }, parent)).toBe(false);
  // The pid of the known one belongs to a later process.
  expect(isOtherCli({ pid: process.pid, startTime: 1 }, own)).toBe(false);
});

it('nothing is said about processes that are not known', () => {
  expect([isOtherCli(undefined, own), isOtherCli(own, undefined)]).toEqual([false, false]);
});
