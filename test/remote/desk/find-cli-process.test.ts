import { describe, expect, it } from 'vitest';
import { readStartTime } from '../../../src/base/process/process-table.js';
import { findCliAmong, findCliProcess } from '../../../src/remote/desk/find-cli-process.js';

/** Processes by pid: their parent, their arguments, and whether they read from a terminal. */
const readOf = (table: Readonly<Record<number, readonly [number, string, boolean]>>) => {
  return (pid: number) => {
    const [parentPid, line, isInteractive] = table[pid] ?? [];
    return parentPid === undefined || line === undefined || isInteractive === undefined
      ? undefined
      : { pid, parentPid, args: line.split(' '), isInteractive };
  };
};

describe('the CLI of a hook', () => {
  it('is the first process above the shells of the hook', () => {
    const read = readOf({
      14: [13, 'sh /x/bridge.sh BeforeTool', false],
      13: [12, '/bin/bash -c sh /x/bridge.sh BeforeTool', false],
      12: [11, 'node /bin/gemini --approval-mode plan', true],
      11: [10, 'node /bin/gemini', true],
      10: [1, '-zsh', true],
    });
    expect(findCliAmong(read, 14)).toEqual({
      cli: { pid: 12, startTime: readStartTime(12) },
      args: ['node', '/bin/gemini', '--approval-mode', 'plan'],
      isInteractive: true,
      parents: [11, 10],
    });
    expect(findCliAmong(read, 12)?.cli.pid).toBe(12);
  });

  it('is not the one whose tool has started it', () => {
    const read = readOf({
      23: [22, 'bash -c sh /x/bridge.sh BeforeTool', false],
      22: [21, 'node /bin/gemini -p hello', false],
      21: [20, 'bash -c gemini -p hello', false],
      20: [1, 'node /bin/gemini', true],
    });
    expect(findCliAmong(read, 23)).toMatchObject({
      ...{ cli: { pid: 22 }, isInteractive: false, parents: [21, 20] },
    });
  });

  it('is not known if its process is gone', async () => {
    expect(findCliAmong(readOf({ 5: [4, 'sh -c x', false] }), 5)).toBeUndefined();
    expect(findCliAmong(readOf({ 5: [5, 'sh', false] }), 5)).toBeUndefined();
    for (const pid of [undefined, '', 'x', '1', String(2 ** 30)])
      expect(await findCliProcess(pid)).toBeUndefined();
  });
});
