import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { geminiProfile } from '../../../src/agents/acp/gemini-profile.js';
import { createGenericProfile } from '../../../src/agents/acp/generic-profile.js';
import { UnknownMethod } from '../../../src/agents/acp/rpc-call.js';
import { TurnListener, type TurnListenerOptions } from '../../../src/agents/acp/turn-listener.js';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import type { OnPermission } from '../../../src/api/permission.js';
import { NO_ISOLATION } from '../../../src/base/process/isolation.js';
import { silentLogger } from '../../../src/config/logging.js';
import { parseToolRules } from '../../../src/config/tool-rule.js';
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
    logger: silentLogger,
    isolation: NO_ISOLATION,
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

  it('is answered with the option that the caller chose by its id', async () => {
    const options = [
      { optionId: 'file', name: 'Always for this file', kind: 'allow_always' },
      { optionId: 'folder', name: 'Always for this folder', kind: 'allow_always' },
      { optionId: 'never', name: 'Never', kind: 'reject_always' },
    ];
    for (const [optionId, decision] of [
      ['folder', 'allow_always'],
      ['never', 'reject'],
    ] as const) {
      const { ask, events } = open({ onPermission: () => ({ optionId }) });
      expect(await ask({ ...SEED_PERMISSION_REQUEST, options })).toEqual(chosen(optionId));
      const told = events.find(({ type }) => type === 'permission-request');
      expect(told).toMatchObject({ decision, optionId, options });
    }
  });

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
    expect(types()).toEqual(['user-input', 'config-options', 'available-commands', 'session-mode']);
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
    const { listener, events, workingDir } = open({ clientFiles: {} });
    const path = join(workingDir, 'a.txt');
    listener.promptSent();
    await listener.onRequest('fs/write_text_file', { path, content: 'new' }, '1');
    expect(await listener.onRequest('fs/read_text_file', { path }, '2')).toEqual({
      content: 'new',
    });
    // Only an access that has succeeded is told.
    const none = { path: join(workingDir, 'none') };
    await failureOf(() => listener.onRequest('fs/read_text_file', none, '3'));
    expect(events.filter(({ type }) => type === 'file-access')).toMatchObject([
      { access: 'write', path },
      { access: 'read', path },
    ]);
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

describe('a write through the client', () => {
  const decide =
    (decision: 'allow_once' | 'reject'): OnPermission =>
    () =>
      decision;
  const EDIT = { kind: 'edit', title: 'Edit', status: 'in_progress' };
  const OPTIONS = [
    { optionId: 'once', name: 'Once', kind: 'allow_once' },
    { optionId: 'always', name: 'Always', kind: 'allow_always' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ];

  function openFiles(config: Given = {}) {
    const opened = open({ clientFiles: {}, ...config });
    const path = join(opened.workingDir, 'a.txt');
    opened.listener.promptSent();
    const write = (name = 'a.txt') => {
      const params = { path: join(opened.workingDir, name), content: 'new' };
      const writing = opened.listener.onRequest('fs/write_text_file', params, '1');
      return writing.then(
        () => undefined,
        (error: unknown) => error,
      );
    };
    const askFor = (toolCall: object) => opened.ask({ toolCall, options: OPTIONS });
    return { ...opened, path, write, askFor };
  }

  it.each(['default', 'plan'] as const)(
    'that the agent did not ask for is refused in %s mode and listed (claim: client-writes-follow-rules)',
    async (approvalMode) => {
      const { write, path, events, types } = openFiles({ approvalMode });
      expect(await write()).toMatchObject({ message: `Writing ${path} is not allowed` });
      expect(readFileSync(path, 'utf8')).toBe('a');
      expect(types()).toEqual(['tool-invocation', 'permission-request', 'tool-completion']);
      expect(events.at(-1)).toMatchObject({
        toolName: 'write_file',
        kind: 'edit',
        error: { type: 'permission_rejected' },
      });
    },
  );

  it.each([
    ['auto_edit', {}, true],
    ['yolo', {}, true],
    ['default', { allowedTools: parseToolRules(['edit']) }, true],
    ['default', { allowedTools: parseToolRules(['write_file']) }, true],
    ['yolo', { deniedTools: parseToolRules(['write_file']) }, false],
    ['auto_edit', { deniedTools: parseToolRules(['edit']) }, false],
    ['default', { onPermission: decide('allow_once') }, true],
    ['yolo', { onPermission: decide('reject') }, false],
  ] as const)('in %s mode with %j is decided by the rules', async (approvalMode, rules, isMade) => {
    const { write, path } = openFiles({ approvalMode, ...rules });
    expect((await write()) === undefined).toBe(isMade);
    expect(readFileSync(path, 'utf8')).toBe(isMade ? 'new' : 'a');
  });

  it('is made after a permission for this file, until the call is over, and for no other file', async () => {
    const { listener, askFor, write, path } = openFiles({
      approvalMode: 'default',
      onPermission: ({ callId }) => (callId === 'asked' ? 'allow_once' : 'reject'),
    });
    await askFor({ toolCallId: 'asked', ...EDIT, locations: [{ path }] });
    expect(await write()).toBeUndefined();
    expect(await write('b.txt')).toBeInstanceOf(Error);
    listener.onUpdate({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'asked',
      status: 'completed',
    });
    expect(await write()).toBeInstanceOf(Error);
  });

  it('is made after a permission that holds always', async () => {
    const { askFor, write } = openFiles({
      approvalMode: 'default',
      onPermission: ({ callId }) => (callId === 'asked' ? 'allow_always' : 'reject'),
    });
    expect(await write('b.txt')).toBeInstanceOf(Error);
    await askFor({ toolCallId: 'asked', ...EDIT });
    expect(await write('b.txt')).toBeUndefined();
  });

  it('of a running call is judged by the name of that call', async () => {
    const { listener, write, path, events } = openFiles({
      approvalMode: 'auto_edit',
      deniedTools: parseToolRules(['replace']),
      options: { profile: geminiProfile },
    });
    expect(await write()).toBeUndefined();
    const call = { sessionUpdate: 'tool_call', toolCallId: 'replace__1', ...EDIT };
    listener.onUpdate({ ...call, locations: [{ path }] });
    expect(await write()).toBeInstanceOf(Error);
    expect(events.at(-1)).toMatchObject({ type: 'tool-completion', callId: 'replace__1' });
  });
});
