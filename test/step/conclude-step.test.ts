import { describe, expect, it } from 'vitest';
import { openHeadlessSession } from '../../src/agents/headless/headless-driver.js';
import { resolveStep } from '../../src/agents/resolve-step.js';
import type { TurnExit } from '../../src/agents/verdict/verdict.js';
import type { AgentEvent } from '../../src/api/agent-event.js';
import type { ManifestFile } from '../../src/api/manifest.js';
import type { StepOutput } from '../../src/api/result.js';
import { resolveConfig } from '../../src/config/resolve-config.js';
import { concludeStep } from '../../src/step/conclude-step.js';
import type { EvaluatedStep } from '../../src/step/step.js';
import { program } from '../fixtures/cli/support.js';

const file = (path: string, sha256After: string | undefined): ManifestFile => ({
  path,
  absolutePath: `/${path}`,
  kind: sha256After === undefined ? 'deleted' : 'created',
  tools: [],
  toolIds: [],
  bytes: 0,
  sha256After,
  confirmed: true,
  outsideWorkspace: false,
});
const OUTPUT: StepOutput = {
  generationId: 'generation-1',
  text: 'said',
  files: [file('a.txt', 'abc'), file('gone.txt', undefined)],
  deniedTools: [],
  warnings: [{ code: 'CLI_WARNING', message: 'mind this' }],
  usage: undefined,
  sessionId: 'session',
  model: 'm',
  durationMs: 5,
  transport: 'headless',
  cliVersion: '0.61.0',
  recovered: false,
  repairs: 0,
};

async function conclude(
  verdict: EvaluatedStep['verdict'],
  exit: Partial<TurnExit> = {},
  more: Pick<EvaluatedStep, 'data'> = {},
) {
  const logged: string[] = [];
  const log = (level: string) => (_fields: object, message: string) => {
    logged.push(`${level} ${message}`);
  };
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  const env = { MY_SECRET: 'hush-hush-hush' };
  const config = resolveConfig({ cliPath: program('quick.sh'), logger, env });
  const resolved = await resolveStep(
    { generationId: 'generation-1', config, context: {} },
    process.env,
  );
  const context = { step: 1 };
  const evaluated: EvaluatedStep = {
    verdict,
    output: OUTPUT,
    exit: { exitCode: 0, stderr: '', ...exit },
    ...more,
  };
  const step = {
    resolved,
    prompt: '',
    context,
    signal: undefined,
    openSession: openHeadlessSession,
  };
  const events: AgentEvent[] = [];
  let thrown: unknown;
  try {
    for await (const event of concludeStep(step, evaluated)) {
      events.push(event);
    }
  } catch (error) {
    thrown = error;
  }
  return { events, thrown, logged, context };
}

describe('the end of a step', () => {
  it('yields the result with the existing files after a success', async () => {
    const { events, thrown, logged, context } = await conclude({ ok: true, recovered: false });
    const result = { ...OUTPUT, filesWritten: { 'a.txt': null }, context };
    expect(events).toEqual([
      {
        type: 'turn-complete',
        subtype: 'success',
        isError: false,
        usage: undefined,
        durationMs: 5,
        result,
      },
    ]);
    expect(thrown).toBeUndefined();
    expect(logged).toEqual(['warn mind this', 'info Step succeeded']);
  });

  it('contains the expected data', async () => {
    const verdict = { ok: true, recovered: false } as const;
    const { events } = await conclude(verdict, {}, { data: { a: 1 } });
    expect(events).toMatchObject([{ result: { data: { a: 1 }, repairs: 0 } }]);
  });

  it('contains the missing expectations, redacted', async () => {
    const missing = [{ kind: 'command', message: 'no', detail: 'said hush-hush-hush' }] as const;
    const failure = { ok: false, code: 'EXPECTATION_FAILED', message: 'no', missing } as const;
    const { events, thrown } = await conclude(failure, { exitCode: undefined });
    const told = [{ kind: 'command', message: 'no', detail: 'said [redacted]' }];
    expect(thrown).toMatchObject({ code: 'EXPECTATION_FAILED', missing: told });
    expect(events).toMatchObject([{ error: { missing: told } }]);
  });

  it('yields and throws the error after a failure', async () => {
    const failure = { ok: false, code: 'AUTH', message: 'no key', httpStatus: 401 } as const;
    const exit = { exitCode: 145, stderr: '\u001b[31mnot with hush-hush-hush\u001b[0m\n' };
    const { events, thrown, logged } = await conclude(failure, exit);
    const expected = {
      code: 'AUTH',
      message: 'no key',
      httpStatus: 401,
      exitCode: 145,
      stderrTail: 'not with [redacted]',
      generationId: 'generation-1',
      sessionId: 'session',
      partial: {
        generationId: 'generation-1',
        text: 'said',
        sessionId: 'session',
        files: [{ path: 'a.txt' }, { path: 'gone.txt' }],
      },
    };
    expect(events).toMatchObject([{ subtype: 'AUTH', isError: true, error: expected }]);
    expect(thrown).toMatchObject(expected);
    expect(logged.at(-1)).toBe('warn no key');
  });

  it('has no exit code if the provider stopped the process', async () => {
    const failure = { ok: false, code: 'CANCELLED', message: 'cancelled' } as const;
    const { thrown } = await conclude(failure, {
      signal: 'SIGTERM',
      stopReason: { kind: 'cancelled' },
    });
    expect(thrown).toMatchObject({ code: 'CANCELLED', exitCode: undefined, signal: undefined });
    const killed = await conclude(failure, { exitCode: undefined, signal: 'SIGTERM' });
    expect(killed.thrown).toMatchObject({ signal: 'SIGTERM', stderrTail: undefined });
  });

  it('contains the last part of a long stderr', async () => {
    const failure = { ok: false, code: 'UNKNOWN', message: 'failed' } as const;
    const { thrown } = await conclude(failure, { stderr: `${'x'.repeat(10_000)} the end` });
    expect(thrown).toMatchObject({ stderrTail: expect.stringMatching(/^x{3992} the end$/) });
  });
});
