import { describe, expect, it } from 'vitest';
import { judgeRecording } from '../../../src/agents/headless/recording.js';
import { ERROR_CODES } from '../../../src/base/errors/codes.js';
import { loadRecording, recordingNames } from '../../fixtures/recordings.js';

describe('the verdict on recorded turns of the real CLI', () => {
  it('covers all 44 recordings', () => {
    expect(recordingNames).toHaveLength(44);
  });

  it.each(recordingNames)('is correct for %s', async (name) => {
    const { truth, stdout, stderr, ...end } = loadRecording(name);
    const pieces = { stdout: [stdout], stderr: [Buffer.from(stderr)] };
    const judged = await judgeRecording({ ...pieces, ...end });
    const failure = judged.verdict.ok ? undefined : judged.verdict;
    expect({
      ok: judged.verdict.ok,
      code: failure?.code ?? null,
      retryable: failure === undefined ? null : ERROR_CODES[failure.code].retryable,
      retryAfterMs: failure?.retryAfterMs,
      files: [...judged.claimedPaths].sort(),
      deniedTools: judged.deniedTools.map(({ tool }) => tool).sort(),
      text: truth.text === undefined ? undefined : judged.text,
    }).toEqual({
      ok: truth.ok,
      code: truth.code,
      retryable: truth.retryable,
      retryAfterMs: truth.retryAfterMs,
      files: truth.files,
      deniedTools: truth.deniedTools,
      text: truth.text,
    });
  });
});
