import { describe, expect, it } from 'vitest';
import { judgeRecording } from '../../../src/agents/headless/recording.js';
import { failureOf } from '../../fixtures/cli/support.js';

const stats = { models: { m: { tokens: { prompt: 10, candidates: 2, total: 12, cached: 0 } } } };
const judge = (output: object, stderr = '', exitCode = 0) => {
  const stdout = JSON.stringify(output, null, 2);
  return judgeRecording({ stdout: [Buffer.from(stdout)], stderr: [Buffer.from(stderr)], exitCode });
};

describe('a recording of -o json', () => {
  it('is judged like a stream', async () => {
    const judged = await judge({ session_id: 's', response: 'Hi', stats });
    expect(judged).toMatchObject({
      verdict: { ok: true },
      text: 'Hi',
      sessionId: 's',
      usage: { total: 12 },
    });
    expect(judged.warnings).toEqual([]);
  });

  it('is LOOP_DETECTED if only its warnings show the loop', async () => {
    const { verdict } = await judge({
      response: 'Hi',
      stats,
      warnings: ['Loop detected, stopping execution'],
    });
    expect(verdict).toMatchObject({ ok: false, code: 'LOOP_DETECTED' });
  });

  it('keeps its other warnings', async () => {
    const { verdict, warnings } = await judge({
      response: 'Hi',
      stats,
      warnings: ['Agent execution blocked: no'],
    });
    expect(verdict.ok).toBe(true);
    expect(warnings).toMatchObject([
      { code: 'CLI_WARNING', message: 'Agent execution blocked: no' },
    ]);
  });

  it('is judged by stderr if an old CLI hides the error', async () => {
    const hidden = {
      response: '',
      stats: { models: { m: { api: { totalErrors: 1 }, tokens: { total: 0 } } } },
    };
    const stderr =
      'Error when talking to Gemini API {"error":{"code":429,"message":"Please retry in 2s."}}';
    expect((await judge(hidden, stderr)).verdict).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 2000,
    });
    expect((await judge(hidden)).verdict).toMatchObject({ code: 'UNKNOWN' });
  });
});

describe('a recording without a result', () => {
  const judgeStderr = async (stderr: string, exitCode: number) => {
    return (await judgeRecording({ stdout: [], stderr: [Buffer.from(stderr)], exitCode })).verdict;
  };

  it('has nothing of stderr in its message', async () => {
    const verdict = await judgeStderr('Loaded cached credentials.', 173);
    expect(verdict).toMatchObject({ code: 'RATE_LIMITED', message: 'HTTP 429' });
  });

  it('is judged by stderr without its terminal colours', async () => {
    const plain = await judgeStderr('Usage: gemini [options]\n', 1);
    expect(plain).toMatchObject({ code: 'CLI_CONFIG' });
    expect(await judgeStderr('\u001b[31mUsage: gemini [options]\u001b[0m\n', 1)).toEqual(plain);
  });

  it('is judged by the end of stderr', async () => {
    const debugging = `${'debug '.repeat(1_000)}\n`.repeat(1_000);
    expect(await judgeStderr(`${debugging}Usage: gemini [options]\n`, 1)).toMatchObject({
      code: 'CLI_CONFIG',
    });
  });

  it('is PROTOCOL if stdout has JSON of another program', async () => {
    const { verdict } = await judgeRecording({
      stdout: [Buffer.from('{"level":30,"msg":"hi"}\n')],
      stderr: [],
      exitCode: 0,
    });
    expect(verdict).toMatchObject({ code: 'PROTOCOL' });
  });
});

describe('a recording that comes in pieces', () => {
  const lines = [
    '{"type":"init","session_id":"s","model":"m"}',
    '{"type":"message","role":"assistant","content":"Grüße","delta":true}',
    '{"type":"tool_use","tool_name":"write_file","tool_id":"1","parameters":{"file_path":"a.ts"}}',
    '{"type":"tool_result","tool_id":"1","status":"success"}',
    '{"type":"message","role":"assistant","content":"!","delta":true}',
    '{"type":"result","status":"success","stats":{"total_tokens":12,"models":{"m":{}}}}',
  ];
  const single = (text: string) => [...Buffer.from(text)].map((byte) => Buffer.of(byte));

  it('is judged like the whole recording', async () => {
    const stdout = lines.join('\n');
    const whole = await judgeRecording({ stdout: [Buffer.from(stdout)], stderr: [], exitCode: 0 });
    expect(whole).toMatchObject({ verdict: { ok: true }, text: 'Grüße!', claimedPaths: ['a.ts'] });
    expect(await judgeRecording({ stdout: single(stdout), stderr: [], exitCode: 0 })).toEqual(
      whole,
    );
  });

  it('may be a recording of -o json', async () => {
    const stdout = single(JSON.stringify({ response: 'Grüße', stats }, null, 2));
    const judged = await judgeRecording({ stdout, stderr: [], exitCode: 0 });
    expect(judged).toMatchObject({ verdict: { ok: true }, text: 'Grüße' });
  });

  it('is read from stdout and stderr at the same time', async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* stdout() {
      await released;
      yield Buffer.from(lines.join('\n'));
    }
    async function* stderr() {
      yield Buffer.from('first');
      release();
    }
    const judged = await judgeRecording({ stdout: stdout(), stderr: stderr(), exitCode: 0 });
    expect(judged.verdict.ok).toBe(true);
  });

  it('is refused if it has more text than a verdict can hold', async () => {
    const said = { type: 'message', role: 'assistant', content: 'x'.repeat(1024 * 1024) };
    const piece = Buffer.from(`${JSON.stringify({ ...said, delta: true })}\n`);
    const stdout = Array.from({ length: 65 }, () => piece);
    const error = await failureOf(() => judgeRecording({ stdout, stderr: [], exitCode: 0 }));
    expect(error).toMatchObject({ code: 'INVALID_INPUT' });
  });
});
