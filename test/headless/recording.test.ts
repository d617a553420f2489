import { describe, expect, it } from 'vitest';
import { judgeRecording } from '../../src/headless/recording.js';

const stats = { models: { m: { tokens: { prompt: 10, candidates: 2, total: 12, cached: 0 } } } };
const record = (output: object, stderr = '', exitCode = 0) => {
  return judgeRecording({ stdout: Buffer.from(JSON.stringify(output, null, 2)), stderr, exitCode });
};

describe('a recording of -o json', () => {
  it('is judged like any other', () => {
    const judged = record({ session_id: 's', response: 'Hi', stats });
    expect(judged).toMatchObject({
      verdict: { ok: true },
      text: 'Hi',
      sessionId: 's',
      usage: { total: 12 },
    });
    expect(judged.warnings).toEqual([]);
  });

  it('is LOOP_DETECTED where only its warnings say so', () => {
    const { verdict } = record({
      response: 'Hi',
      stats,
      warnings: ['Loop detected, stopping execution'],
    });
    expect(verdict).toMatchObject({ ok: false, code: 'LOOP_DETECTED' });
  });

  it('keeps its other warnings', () => {
    const { verdict, warnings } = record({
      response: 'Hi',
      stats,
      warnings: ['Agent execution blocked: no'],
    });
    expect(verdict.ok).toBe(true);
    expect(warnings).toMatchObject([
      { code: 'CLI_WARNING', message: 'Agent execution blocked: no' },
    ]);
  });

  it('is judged by stderr where an old CLI hides the error', () => {
    const hidden = {
      response: '',
      stats: { models: { m: { api: { totalErrors: 1 }, tokens: { total: 0 } } } },
    };
    const stderr =
      'Error when talking to Gemini API {"error":{"code":429,"message":"Please retry in 2s."}}';
    expect(record(hidden, stderr).verdict).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 2000,
    });
    expect(record(hidden).verdict).toMatchObject({ code: 'UNKNOWN' });
  });
});

describe('a recording without a result', () => {
  it('has nothing of stderr in its message', () => {
    const { verdict } = judgeRecording({
      stdout: Buffer.alloc(0),
      stderr: 'Loaded cached credentials.',
      exitCode: 173,
    });
    expect(verdict).toMatchObject({ code: 'RATE_LIMITED', message: 'HTTP 429' });
  });

  it('is judged by what stderr says, not by its colours', () => {
    const judgeStderr = (stderr: string) => {
      return judgeRecording({ stdout: Buffer.alloc(0), stderr, exitCode: 1 }).verdict;
    };
    const plain = judgeStderr('Usage: gemini [options]\n');
    expect(plain).toMatchObject({ code: 'CLI_CONFIG' });
    expect(judgeStderr('\u001b[31mUsage: gemini [options]\u001b[0m\n')).toEqual(plain);
  });

  it('is PROTOCOL where stdout has JSON of another program', () => {
    const { verdict } = judgeRecording({
      stdout: Buffer.from('{"level":30,"msg":"hi"}\n'),
      stderr: '',
      exitCode: 0,
    });
    expect(verdict).toMatchObject({ code: 'PROTOCOL' });
  });
});
