import { expect, it } from 'vitest';
import { isHangupIgnored } from '../../src/cli/hangup.js';

const NOTHING = () => '';
const status = (mask: string) => (path: string) =>
  path.endsWith('/status') ? `Name:\tsh\nSigIgn:\t${mask}\nSigCgt:\t0\n` : '';

it('knows nohup by the variable of the shell', () => {
  expect(isHangupIgnored({ _: '/usr/bin/nohup' }, NOTHING)).toBe(true);
  expect(isHangupIgnored({ _: '/usr/bin/node' }, NOTHING)).toBe(false);
  expect(isHangupIgnored({}, NOTHING)).toBe(false);
});

it('knows GNU nohup by its stdin, which cannot be read', () => {
  const fdinfo = (flags: string) => (path: string) =>
    path.endsWith('fdinfo/0') ? `pos:\t0\nflags:\t${flags}\nmnt_id:\t1\n` : '';
  expect(isHangupIgnored({}, fdinfo('0100001'))).toBe(true);
  expect(isHangupIgnored({}, fdinfo('0100002'))).toBe(false);
  expect(isHangupIgnored({}, fdinfo('0100000'))).toBe(false);
});

it('knows a parent that ignores SIGHUP', () => {
  expect(isHangupIgnored({}, status('0000000000000001'))).toBe(true);
  expect(isHangupIgnored({}, status('0000000000000007'))).toBe(true);
  expect(isHangupIgnored({}, status('0000000001001000'))).toBe(false);
});

it('reads the files of this process by default', () => {
  expect(typeof isHangupIgnored({})).toBe('boolean');
});
