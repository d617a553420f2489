import { describe, expect, it } from 'vitest';
import { geminiProfile } from '../../../src/agents/acp/gemini-profile.js';
import { createGenericProfile } from '../../../src/agents/acp/generic-profile.js';
import { UpdateMapper } from '../../../src/agents/acp/map-update.js';
import { TurnFold } from '../../../src/agents/events/turn-fold.js';
import { SEED_PERMISSION_REQUEST, SEED_UPDATES } from './seed-examples.js';

const agent = createGenericProfile('Agent');

/** Maps updates with a new mapper and removes the field `raw` of the events. */
function map(updates: readonly unknown[], profile = agent) {
  const mapper = new UpdateMapper(profile);
  return withoutRaw(updates.flatMap((update) => mapper.map(update)));
}

function mapAll(updates: readonly unknown[]) {
  const mapper = new UpdateMapper(agent);
  return updates.flatMap((update) => mapper.map(update));
}

function withoutRaw(events: readonly object[]) {
  return events.map((event) => {
    const { raw: _, ...rest }: { raw?: unknown } = { ...event };
    return rest;
  });
}

function toolCall(more: object, sessionUpdate = 'tool_call_update') {
  return { sessionUpdate, toolCallId: 'c1', ...more };
}

describe('an example of seed 002', () => {
  const read = {
    callId: 'call-001',
    toolName: 'read',
    kind: 'read',
    category: 'file-read',
    title: 'Reading login controller',
    input: { path: '/src/auth/login.dart' },
    locations: ['/src/auth/login.dart'],
  };
  it.each([
    [
      'agent_message_chunk',
      { type: 'text-delta', text: "I'll fix the login...", textKind: 'text' },
    ],
    [
      'agent_thought_chunk',
      { type: 'text-delta', text: 'Let me analyze the auth flow...', textKind: 'thinking' },
    ],
    [
      'user_message_chunk',
      { type: 'user-input', text: 'Replaying a prior user turn', isSynthetic: true },
    ],
    ['plan', { type: 'plan', entries: [{ text: 'Step 1' }, { text: 'Step 2' }] }],
    [
      'config_option_update',
      { type: 'config-options', options: [{ id: 'model', values: ['model-a', 'model-b'] }] },
    ],
    [
      'available_commands_update',
      { type: 'available-commands', commands: [{ id: 'help', name: 'Help' }] },
    ],
    ['current_mode_update', { type: 'session-mode', modeId: 'fast' }],
    ['tool_call_update', { type: 'tool-invocation', ...read }],
  ] as const)('for %s becomes one event that keeps the raw update', (name, event) => {
    const [mapped, ...more] = new UpdateMapper(agent).map(SEED_UPDATES[name]);
    expect(mapped).toEqual({ ...event, raw: SEED_UPDATES[name] });
    expect(more).toEqual([]);
  });

  it('for request_permission becomes a tool invocation and a permission request', () => {
    const mapper = new UpdateMapper(agent);
    const request = mapper.readRequest('100', SEED_PERMISSION_REQUEST);
    expect(request).toBeDefined();
    const events = request === undefined ? [] : mapper.mapRequest(request, 'allow_once');
    const call = { callId: 'call-77', toolName: 'execute', kind: 'execute', title: 'Run tests' };
    expect(events).toEqual([
      {
        type: 'tool-invocation',
        ...call,
        category: 'command',
        input: { command: 'npm test' },
        locations: [],
        raw: SEED_PERMISSION_REQUEST,
      },
      {
        type: 'permission-request',
        ...call,
        requestId: '100',
        input: { command: 'npm test' },
        options: SEED_PERMISSION_REQUEST.options,
        decision: 'allow_once',
        raw: SEED_PERMISSION_REQUEST,
      },
    ]);
  });
});

describe('a tool call', () => {
  it.each([
    ['pending', ['tool-invocation']],
    ['in_progress', ['tool-invocation']],
    ['completed', ['tool-invocation', 'tool-completion']],
    ['failed', ['tool-invocation', 'tool-completion']],
    ['of a newer protocol', ['tool-invocation']],
    [undefined, ['tool-invocation']],
  ])('whose first update has the status %s gives %j', (status, types) => {
    for (const update of ['tool_call', 'tool_call_update']) {
      expect(map([toolCall({ title: 'T', status }, update)]).map((event) => event)).toMatchObject(
        types.map((type) => ({ type, callId: 'c1', toolName: 'T' })),
      );
    }
  });

  it('is invoked once and completed once, with the name and kind of its first update', () => {
    const events = map([
      toolCall({ title: 'Read', kind: 'read', status: 'pending' }, 'tool_call'),
      toolCall({ status: 'in_progress' }),
      toolCall({ status: 'completed', rawOutput: { lines: 3 } }),
      toolCall({ status: 'completed' }),
      toolCall({ status: 'failed' }),
    ]);
    expect(events).toEqual([
      expect.objectContaining({ type: 'tool-invocation', toolName: 'Read', kind: 'read' }),
      {
        type: 'tool-completion',
        callId: 'c1',
        toolName: 'Read',
        kind: 'read',
        category: 'file-read',
        status: 'completed',
        isError: false,
        output: '{"lines":3}',
        rawOutput: { lines: 3 },
        content: [],
        error: undefined,
      },
    ]);
  });

  it('that failed has an error message from its content or its output', () => {
    const content = [{ type: 'content', content: { type: 'text', text: 'no such file' } }];
    const of = (more: object) => map([toolCall({ status: 'failed', ...more })])[1];
    expect(of({ content })).toMatchObject({
      status: 'failed',
      isError: true,
      output: 'no such file',
      error: { type: 'tool_failed', message: 'no such file' },
    });
    expect(of({ rawOutput: 'broken' })).toMatchObject({ error: { message: 'broken' } });
    expect(of({})).toMatchObject({ error: { message: 'The tool failed' } });
  });

  it('has text, diffs and terminals as content, and keeps unknown blocks', () => {
    const image = { type: 'content', content: { type: 'image', data: '' } };
    const content = [
      { type: 'content', content: { type: 'text', text: 'one' } },
      { type: 'content', content: { type: 'text', text: 'two' } },
      { type: 'diff', path: '/w/a', oldText: 'old', newText: 'new' },
      { type: 'terminal', terminalId: 't1' },
      image,
      'odd',
    ];
    expect(map([toolCall({ status: 'completed', content })])[1]).toMatchObject({
      output: 'one\ntwo',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
        { type: 'diff', path: '/w/a', oldText: 'old', newText: 'new' },
        { type: 'terminal', terminalId: 't1' },
        { type: 'other', raw: image },
        { type: 'other', raw: 'odd' },
      ],
    });
  });

  it('that completed with a diff is collected as an edit, and a failed call is not', () => {
    const mapper = new UpdateMapper(agent);
    const diff = (path: string, oldText: string | null, more = {}) => {
      return [{ type: 'diff', path, oldText, newText: 'new', ...more }];
    };
    const calls = [
      { toolCallId: 'a', status: 'completed', content: diff('/w/made', null) },
      { toolCallId: 'b', status: 'completed', content: diff('/w/changed', 'old') },
      { toolCallId: 'c', status: 'failed', content: diff('/w/not', 'old') },
      { toolCallId: 'd', status: 'in_progress', content: diff('/w/not-yet', 'old') },
      {
        toolCallId: 'e',
        status: 'completed',
        content: diff('/w/gemini', '', { _meta: { kind: 'add' } }),
      },
    ];
    for (const call of calls) mapper.map({ sessionUpdate: 'tool_call', title: 'Edit', ...call });
    const edit = { tool: 'Edit', after: 'new' };
    expect(mapper.edits).toEqual([
      { ...edit, toolId: 'a', path: '/w/made', before: undefined },
      { ...edit, toolId: 'b', path: '/w/changed', before: 'old' },
      { ...edit, toolId: 'e', path: '/w/gemini', before: undefined },
    ]);
  });
});

describe('a call that needs permission', () => {
  const PARAMS = {
    options: [{ optionId: 'x', name: 'No', kind: 'reject_once' }],
    toolCall: { toolCallId: 'c1', title: 'Run', kind: 'execute' },
  };

  function request(mapper: UpdateMapper, decision: 'allow_always' | 'reject' | 'cancel') {
    const read = mapper.readRequest('7', PARAMS);
    return read === undefined ? [] : withoutRaw(mapper.mapRequest(read, decision));
  }

  it('and gets it is completed by the next update, without another invocation', () => {
    const mapper = new UpdateMapper(agent);
    expect(request(mapper, 'allow_always')).toMatchObject([
      { type: 'tool-invocation', callId: 'c1' },
      { type: 'permission-request', requestId: '7', decision: 'allow_always' },
    ]);
    expect(mapper.map(toolCall({ status: 'completed' }))).toMatchObject([
      { type: 'tool-completion', callId: 'c1', toolName: 'Run', status: 'completed' },
    ]);
  });

  it.each([
    ['reject', 'permission_rejected'],
    ['cancel', 'cancelled'],
  ] as const)(
    'and is answered with %s fails, and later updates change nothing',
    (decision, type) => {
      const mapper = new UpdateMapper(agent);
      expect(request(mapper, decision)).toMatchObject([
        { type: 'tool-invocation', callId: 'c1', toolName: 'Run' },
        { type: 'permission-request', decision },
        { type: 'tool-completion', callId: 'c1', status: 'failed', isError: true, error: { type } },
      ]);
      // Newer versions of the CLI send an update for a rejected call.
      expect(mapper.map(toolCall({ status: 'failed' }))).toEqual([]);
    },
  );

  it('is not invoked again if the agent has reported it before', () => {
    const mapper = new UpdateMapper(agent);
    mapper.map(toolCall({ title: 'told_before', kind: 'other' }, 'tool_call'));
    // The tool name stays. Kind and title come from the request.
    const told = { toolName: 'told_before', kind: 'execute' };
    expect(request(mapper, 'reject')).toMatchObject([
      { type: 'tool-update', ...told, title: 'Run' },
      { type: 'permission-request', ...told, title: 'Run' },
      { type: 'tool-completion', ...told, category: 'command' },
    ]);
  });

  it.each([undefined, null, 'x', [], {}, { toolCall: {} }, { toolCall: { toolCallId: 1 } }])(
    'cannot be read from invalid parameters (%j)',
    (params) => {
      expect(new UpdateMapper(agent).readRequest('1', params)).toBeUndefined();
    },
  );

  it('keeps only its valid options', () => {
    const params = {
      ...PARAMS,
      options: ['x', { kind: 'allow_once' }, { optionId: 'o', kind: 'k' }],
    };
    expect(new UpdateMapper(agent).readRequest('1', params)?.options).toEqual([
      { optionId: 'o', name: '', kind: 'k' },
    ]);
  });
});

describe('the profile of the Gemini CLI', () => {
  const id = 'write_file__write_file_1794801837128_0';

  it('drops the text of a mode change and keeps the text of the model', () => {
    const chunk = (text: string) => {
      return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
    };
    const updates = [chunk('[MODE_UPDATE] autoEdit'), chunk('about [MODE_UPDATE] x')];
    expect(map(updates, geminiProfile)).toMatchObject([{ text: 'about [MODE_UPDATE] x' }]);
    expect(map(updates)).toHaveLength(2);
  });

  it('reads the tool name from the id of the call, and the file from the location', () => {
    const update = {
      sessionUpdate: 'tool_call',
      toolCallId: id,
      title: 'Writing to a.txt',
      kind: 'edit',
      status: 'completed',
      locations: [{ path: '/w/a.txt' }],
    };
    expect(map([update], geminiProfile)[0]).toMatchObject({
      toolName: 'write_file',
      kind: 'edit',
      category: 'file-write',
      title: 'Writing to a.txt',
      input: { file_path: '/w/a.txt' },
      locations: ['/w/a.txt'],
    });
  });
});

describe('an unknown update', () => {
  const odd: readonly unknown[] = [
    undefined,
    null,
    0,
    Number.NaN,
    '',
    'text',
    true,
    [],
    [[]],
    {},
    { sessionUpdate: null },
    { sessionUpdate: 'usage_update', used: 1 },
    Object.create(null),
    new Date(0),
    () => {},
    Symbol('x'),
    10n,
  ];

  it.each(odd.map((update) => [update]))('(%o) becomes an unknown event', (update) => {
    expect(new UpdateMapper(agent).map(update)).toEqual([{ type: 'unknown', raw: update }]);
  });

  it.each([
    'agent_message_chunk',
    'agent_thought_chunk',
    'user_message_chunk',
    'tool_call',
    'tool_call_update',
    'current_mode_update',
  ])('of the type %s with unknown content becomes an unknown event', (sessionUpdate) => {
    const update = { sessionUpdate, content: { type: 'image', data: '' } };
    expect(new UpdateMapper(agent).map(update)).toEqual([{ type: 'unknown', raw: update }]);
  });

  it('does not throw for any value in any field', () => {
    const names = [...Object.keys(SEED_UPDATES), 'tool_call'];
    const fields = ['content', 'entries', 'configOptions', 'availableCommands', 'currentModeId'];
    const callFields = ['title', 'kind', 'status', 'content', 'locations', 'rawInput', 'rawOutput'];
    const odder = odd.filter((value) => typeof value !== 'bigint');
    for (const profile of [agent, geminiProfile]) {
      for (const value of odder) {
        const mapper = new UpdateMapper(profile);
        const fold = new TurnFold();
        const take = (update: object) => {
          for (const event of mapper.map(update)) fold.accept(event);
        };
        for (const sessionUpdate of names) {
          for (const field of fields) take({ sessionUpdate, [field]: value });
          for (const field of callFields) {
            take({ sessionUpdate, toolCallId: `${field}-1`, status: 'completed', [field]: value });
            take({ sessionUpdate, toolCall: { toolCallId: `${field}-2`, [field]: [value] } });
          }
        }
        mapper.readRequest('1', { toolCall: { toolCallId: 'z', title: value }, options: value });
        expect(fold.toolCalls.length).toBeGreaterThan(0);
      }
    }
  });
});

describe('a tool call of which the agent tells more later', () => {
  const opened = toolCall({ title: 'Preparing', kind: 'edit', rawInput: {} }, 'tool_call');

  it('is updated with its input, title and paths, once for each change', () => {
    const late = {
      title: 'Write a.ts',
      rawInput: { path: '/w/a.ts' },
      locations: [{ path: '/w/a.ts' }],
      status: 'in_progress',
    };
    const events = mapAll([
      opened,
      toolCall(late),
      toolCall(late),
      toolCall({ status: 'in_progress' }),
    ]);
    expect(events).toMatchObject([
      { type: 'tool-invocation', title: 'Preparing', input: {} },
      {
        type: 'tool-update',
        callId: 'c1',
        category: 'file-write',
        title: 'Write a.ts',
        input: { path: '/w/a.ts' },
        locations: ['/w/a.ts'],
      },
    ]);
  });

  it('is updated before its end if its end tells more', () => {
    const events = mapAll([opened, toolCall({ rawInput: { path: 'a' }, status: 'completed' })]);
    expect(events.map(({ type }) => type)).toEqual([
      'tool-invocation',
      'tool-update',
      'tool-completion',
    ]);
  });

  it('shows its content while it runs, and not twice at its end', () => {
    const content = [{ type: 'content', content: { type: 'text', text: 'half' } }];
    const events = mapAll([
      opened,
      toolCall({ content }),
      toolCall({ content, status: 'completed' }),
    ]);
    expect(events).toMatchObject([
      { type: 'tool-invocation' },
      { type: 'tool-update', content: [{ type: 'text', text: 'half' }] },
      { type: 'tool-completion' },
    ]);
  });
});

describe('the derived facts of a tool call over ACP', () => {
  const derivedOf = (more: object) => {
    const events = mapAll([toolCall({ title: 'T', status: 'completed', ...more }, 'tool_call')]);
    return events.flatMap((event) => (event.type === 'tool-completion' ? [event.derived] : []))[0];
  };

  it('have the written file and a diff of its contents', () => {
    const content = [{ type: 'diff', path: '/w/a.ts', oldText: 'a\n', newText: 'b\n' }];
    expect(derivedOf({ kind: 'edit', content })).toEqual({
      commandOutput: undefined,
      mutation: { tool: 'T', path: '/w/a.ts' },
      diff: expect.stringContaining('-a\n+b\n'),
    });
  });

  it('have the output of a command', () => {
    expect(derivedOf({ kind: 'execute', rawOutput: 'done' })).toMatchObject({
      commandOutput: 'done',
    });
  });

  it('are absent for a failed call and for other tools', () => {
    expect(derivedOf({ kind: 'execute', rawOutput: 'no', status: 'failed' })).toBeUndefined();
    expect(derivedOf({ kind: 'read', rawOutput: 'text' })).toBeUndefined();
  });

  it('have the output of a terminal that this package runs', () => {
    const result = { output: 'ran', isTruncated: false, exitCode: 0 };
    const mapper = new UpdateMapper(agent, (id) => (id === 't1' ? result : undefined));
    const content = [{ type: 'terminal', terminalId: 't1' }];
    const events = mapper.map(
      toolCall({ kind: 'execute', content, status: 'completed' }, 'tool_call'),
    );
    expect(events[1]).toMatchObject({
      content: [{ type: 'terminal', terminalId: 't1', result }],
      derived: { commandOutput: 'ran' },
    });
  });
});

describe('an update of a sub-agent', () => {
  it('names the call that runs the sub-agent', () => {
    const _meta = { parentToolCallId: 'parent' };
    const chunk = {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: 'hm' },
      _meta,
    };
    const events = mapAll([chunk, toolCall({ title: 'T', kind: 'read', _meta }, 'tool_call')]);
    expect(events).toMatchObject([
      { type: 'text-delta', text: 'hm', parentCallId: 'parent' },
      { type: 'tool-invocation', parentCallId: 'parent' },
    ]);
    const fold = new TurnFold();
    for (const event of events) fold.accept(event);
    expect(fold.text).toBe('');
  });
});

describe('a title of the session', () => {
  it.each([
    ['A title', 'A title'],
    [null, undefined],
  ])('of %j is told', (title, told) => {
    expect(mapAll([{ sessionUpdate: 'session_info_update', title }])).toMatchObject([
      { type: 'session-info', title: told },
    ]);
  });
});

describe('content of an answer that is no text', () => {
  it.each([
    [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }],
    [{ type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }],
    [{ type: 'resource_link', uri: 'file:///a', name: 'a' }],
  ])('is told: %j', (content) => {
    const sessionUpdate = 'agent_message_chunk';
    const type = content.type === 'resource_link' ? 'resource' : content.type;
    expect(mapAll([{ sessionUpdate, content }])).toMatchObject([
      { type: 'content', content: { ...content, type }, textKind: 'text', raw: { content } },
    ]);
  });
});

describe('content of a tool call', () => {
  it.each([
    [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }],
    [{ type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }],
    [{ type: 'resource', uri: 'file:///a', name: undefined, mimeType: undefined, text: 'a' }],
  ])('of the type of %j is typed', (block) => {
    const sent = block.type === 'resource' ? { type: 'resource', resource: block } : block;
    const content = [{ type: 'content', content: sent }];
    const [, end] = mapAll([toolCall({ title: 'T', content, status: 'completed' }, 'tool_call')]);
    expect(end).toMatchObject({ content: [block] });
  });

  it('may be a link to a resource', () => {
    const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };
    const content = [{ type: 'content', content: link }];
    const [, end] = mapAll([toolCall({ title: 'T', content, status: 'completed' }, 'tool_call')]);
    expect(end).toMatchObject({ content: [{ type: 'resource', uri: 'file:///a', name: 'a' }] });
  });
});
