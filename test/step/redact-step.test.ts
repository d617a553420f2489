import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/api/agent-event.js';
import type { StepOutput } from '../../src/api/result.js';
import { createRedactor } from '../../src/base/errors/redact.js';
import { redactEvent, redactOutput } from '../../src/step/redact-step.js';

const redactor = createRedactor(['planted-secret']);

describe('an event', () => {
  it.each<AgentEvent>([
    {
      type: 'session-status',
      status: 'retrying',
      message: 'with planted-secret',
      raw: { message: 'with planted-secret' },
    },
    { type: 'unknown', raw: { deep: ['planted-secret'] } },
  ])('with a status of the CLI is redacted: %j', (event) => {
    expect(JSON.stringify(redactEvent(event, redactor))).toBe(
      JSON.stringify(event).replaceAll('planted-secret', '[redacted]'),
    );
  });

  it.each<AgentEvent>([
    { type: 'text-delta', text: 'planted-secret', textKind: 'text' },
    { type: 'user-input', text: 'planted-secret', isSynthetic: false },
  ])('with text or calls of the model stays unchanged: %j', (event) => {
    expect(redactEvent(event, redactor)).toBe(event);
  });
});

describe('the output of a step', () => {
  it('is redacted in warnings and refused tools, but not in its text', () => {
    const output: StepOutput = {
      generationId: 'generation-1',
      text: 'planted-secret',
      files: [],
      deniedTools: [
        {
          tool: 'run_shell_command',
          toolId: '1',
          reason: 'policy',
          message: 'no planted-secret',
          hint: 'allow planted-secret',
        },
      ],
      warnings: [{ code: 'CLI_WARNING', message: 'mind planted-secret' }],
      usage: undefined,
      sessionId: 's',
      model: 'm',
      durationMs: 1,
      transport: 'headless',
      cliVersion: undefined,
      recovered: false,
      repairs: 0,
    };
    expect(redactOutput(output, redactor)).toEqual({
      ...output,
      deniedTools: [
        { ...output.deniedTools[0], message: 'no [redacted]', hint: 'allow [redacted]' },
      ],
      warnings: [{ code: 'CLI_WARNING', message: 'mind [redacted]' }],
    });
  });
});
