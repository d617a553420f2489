import { describe, expect, it } from 'vitest';
import type { StatusRemark } from '../../../src/agents/events/turn-fold.js';
import { describeHeadlessTurn } from '../../../src/agents/headless/describe-headless-turn.js';
import { type StreamNoise, StreamReader } from '../../../src/agents/headless/stream-reader.js';

const silence = new StreamReader().noise;

describe('the warnings of a headless turn', () => {
  it('are empty if all went well', () => {
    expect(describeHeadlessTurn({ noise: silence, remarks: [] })).toEqual([]);
    expect(describeHeadlessTurn({ noise: silence, remarks: [], endedAfterResult: false })).toEqual(
      [],
    );
  });

  it.each([
    ['nonJsonLines', 'NON_JSON_OUTPUT'],
    ['overlongLines', 'OUTPUT_LINE_TOO_LONG'],
    ['unknownEvents', 'UNKNOWN_EVENT'],
    ['invalidEvents', 'INVALID_EVENT'],
  ] as const)('count the %s and quote the first', (sort, code) => {
    const noise: StreamNoise = { ...silence, [sort]: 3, samples: { [sort]: 'the sample' } };
    expect(describeHeadlessTurn({ noise, remarks: [] })).toEqual([
      { code, count: 3, message: expect.stringMatching(/\b3\b.*the sample$/) },
    ]);
  });

  it('count the retries of the CLI', () => {
    const remarks: StatusRemark[] = [
      { status: 'retrying', message: 'Attempt 1 failed' },
      { status: 'retrying', message: 'Attempt 2 failed' },
    ];
    expect(describeHeadlessTurn({ noise: silence, remarks })).toEqual([
      {
        code: 'CLI_RETRIED',
        count: 2,
        message: expect.stringMatching(/\b2\b.*Attempt 1 failed$/),
      },
    ]);
  });

  it('quote each warning of the CLI, but no error', () => {
    const remarks: StatusRemark[] = [
      { status: 'warning', message: 'one' },
      { status: 'error', message: 'two' },
      { status: 'warning', message: 'three' },
    ];
    expect(describeHeadlessTurn({ noise: silence, remarks })).toEqual([
      { code: 'CLI_WARNING', message: 'one' },
      { code: 'CLI_WARNING', message: 'three' },
    ]);
  });

  it('say that the CLI had to be stopped after its result', () => {
    expect(
      describeHeadlessTurn({ noise: silence, remarks: [], endedAfterResult: true }),
    ).toMatchObject([{ code: 'CLI_LINGERED' }]);
  });
});
