import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { geminiProfile } from '../../../src/agents/acp/gemini-profile.js';
import { createGenericProfile } from '../../../src/agents/acp/generic-profile.js';
import { UnknownMethod } from '../../../src/agents/acp/rpc-call.js';
import { TurnListener, type TurnListenerOptions } from '../../../src/agents/acp/turn-listener.js';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { failureOf, makeFolder } from '../../fixtures/cli/support.js';
import { SEED_PERMISSION_REQUEST, SEED_UPDATES } from './seed-examples.js';

interface Given extends Partial<TurnListenerOptions['config']> {
  readonly options?: Partial<TurnListenerOptions>;
}

function open({ options = {}, ...config }: Given = {}) {
  const workingDir = makeFolder({ 'a.txt': 'a' });
  const events: AgentEvent[] = [];
  const ends: string[] = [];
  const listener = new TurnListener({
    sessionId: 's',
    profile: createGenericProfile('Agent'),
    config: {
      approvalMode: 'auto_edit',
      allowedTools: [],
      deniedTools: [],
      onPermission: undefined,
      permissionTimeoutMs: 1000,
      unattended: 'reject',
      clientFiles: false,
      clientTerminals: false,
      ...config,
    },
    workingDir,
    workspaceDirs: [workingDir],
    env: { PATH: process.env['PATH'] ?? '' },
    onEvent: (event) => void events.push(event),
    onRefusal: ({ toolName }) => void ends.push(`refused ${toolName}`),
    onCancel: () => void ends.push('cancelled'),
    ...options,
  });
  const ask = (params: unknown = SEED_PERMISSION_REQUEST) => {
    return listener.onRequest('session/request_permission', params, '100');
  };
  return { listener, ask, events, ends, workingDir, types: () => events.map(({ type }) => type) };
}

const chosen = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });
const CANCELLED = { outcome: { outcome: 'cancelled' } };

describe('a permission request', () => {
  it.each([
    ['allow_once', chosen('allow_once'), []],
    ['allow_always', chosen('allow_always'), []],
    ['reject', chosen('reject_once'), []],
    ['cancel', CANCELLED, ['cancelled']],
  ] as const)(
    'that is decided with %s is answered as in seed 002',
    async (decision, answer, end) => {
      const { ask, ends } = open({ onPermission: () => decision });
      expect(await ask()).toEqual(answer);
      expect(ends).toEqual(end);
    },
  );

  it('is answered by the rules, and its event has the decision', async () => {
    const { ask, ends, events } = open();
    expect(await ask()).toEqual(chosen('reject_once'));
    expect(events).toMatchObject([
      { type: 'tool-invocation' },
      { type: 'permission-request', requestId: '100', decision: 'reject' },
      { type: 'tool-completion', error: { type: 'permission_rejected' } },
    ]);
    expect(ends).toEqual([]);
  });

  it('that is refused calls onRefusal if unattended is "fail"', async () => {
    const { ask, ends } = open({ unattended: 'fail' });
    expect(await ask()).toEqual(chosen('reject_once'));
    expect(ends).toEqual(['refused execute']);
  });

  it('without an option for the decision is cancelled', async () => {
    const { ask, events } = open();
    expect(await ask({ ...SEED_PERMISSION_REQUEST, options: [] })).toEqual(CANCELLED);
    expect(events.at(-2)).toMatchObject({ type: 'permission-request', decision: 'cancel' });
  });

  it.each([undefined, null, {}, { toolCall: 'x' }])(
    'with invalid parameters (%j) is cancelled',
    async (params) => {
      const { listener, events } = open();
      expect(await listener.onRequest('session/request_permission', params, '1')).toEqual(
        CANCELLED,
      );
      expect(events).toEqual([]);
    },
  );

  it('that is open when the step is cancelled is answered with cancelled, without another cancel', async () => {
    const { listener, ask, ends } = open({ onPermission: () => new Promise(() => {}) });
    const answers = [ask(), ask()];
    listener.cancel();
    expect(await Promise.all(answers)).toEqual([CANCELLED, CANCELLED]);
    expect(ends).toEqual([]);
  });
});

describe('an update', () => {
  it('from the history of a loaded session is not output of the step', () => {
    const { listener, types } = open();
    for (const update of Object.values(SEED_UPDATES)) listener.onUpdate(update);
    expect(types()).toEqual(['user-input', 'available-commands', 'session-mode']);
    expect(listener.isAccepted).toBe(false);
    listener.promptSent();
    listener.onUpdate(SEED_UPDATES.agent_message_chunk);
    expect(types().at(-1)).toBe('text-delta');
    expect(listener.isAccepted).toBe(true);
  });

  it('shows if a command was run that may outlive the step', () => {
    const { listener } = open();
    listener.promptSent();
    const call = (toolCallId: string, kind: string) => {
      listener.onUpdate({ sessionUpdate: 'tool_call', toolCallId, title: 'T', kind });
      return listener.hasRunCommand;
    };
    expect([call('1', 'read'), call('2', 'edit'), call('3', 'execute'), call('4', 'read')]).toEqual(
      [false, false, true, true],
    );
  });
});

describe('another request', () => {
  it.each([
    'fs/read_text_file',
    'fs/write_text_file',
    'terminal/create',
    'terminal/output',
    'terminal/wait_for_exit',
    'terminal/kill',
    'terminal/release',
    'fs/move_file',
  ])('(%s) is not served unless it was offered', async (method) => {
    const { listener } = open();
    expect(await failureOf(() => listener.onRequest(method, {}, '1'))).toBeInstanceOf(
      UnknownMethod,
    );
    // The request shows that the agent accepted the prompt.
    expect(listener.isAccepted).toBe(true);
  });

  it('for files is served if clientFiles is set', async () => {
    const { listener, workingDir } = open({ clientFiles: {} });
    const path = join(workingDir, 'a.txt');
    await listener.onRequest('fs/write_text_file', { path, content: 'new' }, '1');
    expect(await listener.onRequest('fs/read_text_file', { path }, '2')).toEqual({
      content: 'new',
    });
  });

  it('for a missing file returns an empty text to the Gemini CLI and an error to other agents', async () => {
    const read = ({ listener, workingDir }: ReturnType<typeof open>) => {
      return listener.onRequest('fs/read_text_file', { path: join(workingDir, 'none') }, '1');
    };
    const clientFiles = {};
    const other = open({ clientFiles });
    expect(await failureOf(() => read(other))).toMatchObject({ code: 'ENOENT' });
    const gemini = open({ clientFiles, options: { profile: geminiProfile } });
    expect(await read(gemini)).toEqual({ content: '' });
  });

  it('for a terminal is served if the rules allow the command', async () => {
    const { listener } = open({ clientTerminals: true });
    const create = { command: 'echo', args: ['x'] };
    expect(await failureOf(() => listener.onRequest('terminal/create', create, '1'))).toMatchObject(
      {
        message: 'The command is not allowed: echo x',
      },
    );
    const { listener: free } = open({ clientTerminals: true, approvalMode: 'yolo' });
    const made = await free.onRequest('terminal/create', create, '1');
    expect(await free.onRequest('terminal/wait_for_exit', made, '2')).toMatchObject({
      exitCode: 0,
    });
    expect(await free.onRequest('terminal/output', made, '3')).toMatchObject({ output: 'x\n' });
    await free.onRequest('terminal/kill', made, '4');
    await free.onRequest('terminal/release', made, '5');
    await free.end();
  });
});
