import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import type { GenerateResult } from '../../../src/api/result.js';
import { readResult } from '../../../src/base/events/read-result.js';
import { failureOf } from '../../fixtures/cli/support.js';

async function* streamOf(...events: AgentEvent[]): AsyncGenerator<AgentEvent> {
  yield* events;
}

const result: GenerateResult = {
  generationId: 'g-1',
  text: 'done',
  files: [],
  filesWritten: {},
  deniedTools: [],
  warnings: [],
  usage: undefined,
  sessionId: undefined,
  model: undefined,
  durationMs: 1,
  transport: 'acp',
  cliVersion: undefined,
  recovered: false,
  repairs: 0,
  context: {},
};

describe('the result of a stream', () => {
  it('is that of the last event', async () => {
    const events = streamOf(
      { type: 'text-delta', textKind: 'text', text: 'do' },
      { type: 'turn-complete', subtype: 'success', isError: false, result },
    );
    expect(await readResult(events)).toBe(result);
  });

  it('is UNKNOWN with the id of the step if the stream ends early', async () => {
    const events = streamOf({
      type: 'session-status',
      status: 'warning',
      message: 'x',
      generationId: 'g-1',
    });
    expect(await failureOf(() => readResult(events))).toMatchObject({
      code: 'UNKNOWN',
      generationId: 'g-1',
    });
  });
});
