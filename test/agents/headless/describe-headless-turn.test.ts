import { describe, expect, it } from 'vitest';
import type { StatusRemark } from '../../../src/agents/events/turn-fold.js';
import { describeHeadlessTurn } from '../../../src/agents/headless/describe-headless-turn.js';
import { type StreamNoise, StreamReader } from '../../../src/agents/headless/stream-reader.js';

const silence = new StreamReader().noise;

describe('what should be known of a run', () => {
  it('is nothing where all went well', () => {
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
  ] as const)('is how many %s there were, with the first', (sort, code) => {
    const noise: StreamNoise = { ...silence, [sort]: 3, samples: { [sort]: 'the sample' } };
    expect(describeHeadlessTurn({ noise, remarks: [] })).toEqual([
      { code, count: 3, message: expect.stringMatching(/\b3\b.*the sample$/) },
    ]);
  });

  it('is how often the CLI tried again', () => {
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

  it('is each warning of the CLI in its own words, and no error', () => {
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

  it('is that the CLI had to be ended after its result', () => {
    expect(
      describeHeadlessTurn({ noise: silence, remarks: [], endedAfterResult: true }),
    ).toMatchObject([{ code: 'CLI_LINGERED' }]);
  });
});
