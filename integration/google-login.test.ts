import type { Script } from 'gemini-cli-provider/testing';
import { describe, expect, it } from 'vitest';
import { gateCases } from './gate-cases.js';
import { openLab } from './support.js';
import { keepWarm } from './warm-cli.js';

/** Detail with which Code Assist, the API behind a login with Google, gives the reason of an error. */
function reason(name: string): object {
  return {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    domain: 'cloudcode-pa.googleapis.com',
    reason: name,
  };
}

describe.each(gateCases(['headless', 'acp'] as const, 1))('over %s, an account', (transport) => {
  const warmCli = transport === 'acp' ? keepWarm() : undefined;
  const open = (script: Script) => openLab(script, { config: { transport }, warmCli });

  it('whose quota of the day is used up fails with QUOTA_EXHAUSTED and the time of its renewal', async () => {
    const message =
      'You have exhausted your capacity on this model. Your quota will reset after 19h8m20s.';
    const error = { status: 429, message, details: [reason('QUOTA_EXHAUSTED')] };
    const lab = await open([{ error }]);
    const failed = await lab.fail('go');
    expect(failed).toMatchObject({
      code: 'QUOTA_EXHAUSTED',
      retryable: false,
      retryAfterMs: 68_900_000,
    });
    expect(failed.message).toContain('reset after 19h8m20s');
  });

  it('that Google wants verified fails with AUTH and says what to do', async () => {
    const error = {
      status: 403,
      message: 'Verify your account to continue.',
      details: [reason('VALIDATION_REQUIRED')],
    };
    const lab = await open([{ error }]);
    expect(await lab.fail('go')).toMatchObject({
      code: 'AUTH',
      message: 'The account must be verified: Verify your account to continue.',
      hint: expect.stringContaining('in a terminal'),
    });
  });

  it('without access to the model fails with MODEL_NOT_FOUND', async () => {
    const error = { status: 404, message: 'This thing is gone.' };
    const lab = await open([{ error }]);
    const failed = await lab.fail('go');
    expect(failed).toMatchObject({ code: 'MODEL_NOT_FOUND', retryable: false });
    expect(failed.message).toContain('This thing is gone.');
  });
});
