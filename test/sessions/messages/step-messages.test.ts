import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StreamReader } from '../../../src/agents/headless/stream-reader.js';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import type { SessionMessage } from '../../../src/api/session.js';
import type { ToolCompletionEvent } from '../../../src/api/tool-event.js';
import type { UnifiedMessage } from '../../../src/api/unified-message.js';
import { readSession } from '../../../src/sessions/files/read-session.js';
import { StepMessages } from '../../../src/sessions/messages/step-messages.js';
import { toUnifiedMessages } from '../../../src/sessions/messages/to-unified-messages.js';
import { loadRecording, recordingNames } from '../../fixtures/recordings.js';
import { fixtures } from '../files/session-text.js';

const INIT: AgentEvent = { type: 'session-init', sessionId: 's', model: 'flash' };
const TOOL = { kind: 'search', category: 'search-fetch' } as const;

function say(text: string, textKind: 'text' | 'thinking' = 'text'): AgentEvent {
  return { type: 'text-delta', text, textKind };
}

function think(text: string): AgentEvent {
  return { type: 'text', text, textKind: 'thinking' };
}

function call(callId: string, toolName = 'glob'): AgentEvent {
  return { type: 'tool-invocation', callId, toolName, ...TOOL, input: { pattern: callId } };
}

function answer(callId: string, output: string, isError = false): ToolCompletionEvent {
  return {
    type: 'tool-completion',
    callId,
    toolName: 'glob',
    ...TOOL,
    status: isError ? 'failed' : 'completed',
    isError,
    output,
  };
}

function messagesOfStep(events: readonly AgentEvent[]): readonly SessionMessage[] {
  const step = new StepMessages();
  for (const event of events) step.accept(event);
  return step.messages;
}

function readEvents(stdout: Buffer): AgentEvent[] {
  const reader = new StreamReader();
  return [...reader.push(stdout), ...reader.end()];
}

/** Returns the fields that messages built from events share with recorded ones. */
function essence(messages: readonly UnifiedMessage[]) {
  return messages.map(({ role, content, tool }) => ({
    role,
    tool,
    text: content
      .map((block) => (block.type === 'text' ? block.text : ''))
      .join('')
      .trim(),
    calls: content.flatMap((block) => {
      return block.type === 'tool_use' ? [{ id: block.id, name: block.name }] : [];
    }),
    results: content.flatMap((block) => {
      return block.type === 'tool_result' ? [[block.tool_use_id, block.is_error]] : [];
    }),
  }));
}

describe('the messages of a step', () => {
  it('are those that the CLI recorded, when they are known', () => {
    const messages: SessionMessage[] = [{ id: 'm', type: 'user', content: 'go' }];
    const events = [INIT, say('Hello'), { type: 'session-messages', messages } as const];
    expect(messagesOfStep(events)).toBe(messages);
  });

  it('are built from the events if the CLI recorded none', () => {
    const events = [INIT, say('Hello'), { type: 'session-messages', messages: [] } as const];
    expect(messagesOfStep(events)).toMatchObject([{ type: 'gemini', content: 'Hello' }]);
  });

  it('are the same from events as in the session file', async () => {
    const stdout = readFileSync(join(fixtures, 'headless_parallel_calls.stdout.ndjson'));
    const session = await readSession(join(fixtures, 'headless_parallel_calls.jsonl'));
    const live = toUnifiedMessages(readEvents(stdout));
    expect(essence(live)).toEqual(essence(toUnifiedMessages(session)));
    expect(live.map(({ content }) => content.map(({ type }) => type))).toEqual(
      toUnifiedMessages(session).map(({ content }) => content.map(({ type }) => type)),
    );
  });

  it.each(recordingNames)('have all texts of a recorded stream: %s', (name) => {
    const events = readEvents(loadRecording(name).stdout);
    const unified = toUnifiedMessages(events);
    const streamed = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));
    const blocks = unified.filter(({ role }) => role === 'assistant').map(({ content }) => content);
    const texts = blocks.flat().map((block) => (block.type === 'text' ? block.text : ''));
    expect(texts.join('')).toBe(streamed.join(''));
    const calls = events.filter(({ type }) => type === 'tool-invocation');
    const answers = events.filter(({ type }) => type === 'tool-completion');
    expect(blocks.flat().filter(({ type }) => type === 'tool_use')).toHaveLength(calls.length);
    expect(blocks.flat().filter(({ type }) => type === 'tool_result')).toHaveLength(answers.length);
    const ids = unified.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });
});

describe('the messages of a running step', () => {
  const prompt: AgentEvent = { type: 'user-input', text: 'go', isSynthetic: false };

  it('grow with each event', () => {
    const events = [INIT, prompt, say('Hel'), say('lo'), call('a'), answer('a', 'x'), say('Done.')];
    const contents = events.map((_, index) =>
      toUnifiedMessages(events.slice(0, index + 1)).map(({ content }) =>
        content.map((block) => (block.type === 'text' ? block.text : block.type)).join(' '),
      ),
    );
    expect(contents).toEqual([
      [],
      ['go'],
      ['go', 'Hel'],
      ['go', 'Hello'],
      ['go', 'tool_use Hello'],
      ['go', 'tool_use tool_result Hello'],
      ['go', 'tool_use tool_result Hello', 'Done.'],
    ]);
  });

  it('name the session, the model and the time', () => {
    const timestamp = '2026-11-16T08:00:00.000Z';
    const events = [INIT, { ...prompt, timestamp }, { ...say('Hello'), timestamp }];
    expect(toUnifiedMessages(events)).toMatchObject([
      { id: 's-1', role: 'user', timestamp: Date.parse(timestamp) },
      { id: 's-2', role: 'assistant', timestamp: Date.parse(timestamp), model: 'flash' },
    ]);
  });

  it('have thoughts in the form of the session file', () => {
    const events = [think('**Plan**\nI write.'), think('hm'), say('Hello')];
    expect(toUnifiedMessages(events)).toMatchObject([
      {
        content: [
          { type: 'thinking', thinking: 'Plan: I write.' },
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'Hello' },
        ],
      },
    ]);
  });

  it('are those of the agent that named itself', () => {
    const agent = { name: 'Qwen Code', capabilities: {} };
    const toolOf = (init: AgentEvent) => toUnifiedMessages([init, say('Hi')])[0]?.tool;
    expect(toolOf(INIT)).toBe('gemini');
    expect(toolOf({ ...INIT, agent })).toBe('Qwen Code');
    expect(toolOf({ ...INIT, agent: { ...agent, name: 'Gemini CLI' } })).toBe('gemini');
    expect(toolOf({ ...INIT, agent: { capabilities: {} } })).toBe('agent');
  });

  it('have the diff, the terminal and the images of a tool call', () => {
    const diff = '--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n';
    const image = { type: 'image', mimeType: 'image/png', data: 'AA==' } as const;
    const { output: _, ...silent } = answer('a', '');
    const resultOf = (event: ToolCompletionEvent) => {
      const content = toUnifiedMessages([call('a'), event]).flatMap((message) => message.content);
      return content.flatMap((block) => (block.type === 'tool_result' ? [block.content] : []))[0];
    };
    expect(resultOf({ ...silent, derived: { diff } })).toBe(diff);
    expect(resultOf({ ...silent, derived: { commandOutput: 'ok\n' } })).toBe('ok\n');
    expect(resultOf({ ...answer('a', 'Edited.'), derived: { diff } })).toBe(`Edited.\n${diff}`);
    expect(resultOf({ ...answer('a', diff), derived: { diff } })).toBe(diff);
    expect(resultOf({ ...answer('a', 'A picture'), content: [image] })).toEqual([
      { type: 'text', text: 'A picture' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
    ]);
  });

  it('have the images of an answer', () => {
    const content = { type: 'image', mimeType: 'image/png', data: 'AA==' } as const;
    const events: AgentEvent[] = [
      say('See: '),
      { type: 'content', content, textKind: 'text' },
      { type: 'content', content, textKind: 'text', parentCallId: 'sub-agent' },
    ];
    expect(toUnifiedMessages(events)).toMatchObject([
      { content: [{ type: 'text', text: 'See: ' }, { type: 'image' }] },
    ]);
  });

  it('have one thought for the pieces of a thought', () => {
    const pieces = ['I ', 'think', '.'].map((text) => say(text, 'thinking'));
    const events = [...pieces, call('a'), answer('a', 'A'), say('So', 'thinking'), say('Hello')];
    const thoughts = toUnifiedMessages(events).map(({ content }) => {
      return content.flatMap((block) => (block.type === 'thinking' ? block.thinking : []));
    });
    expect(thoughts).toEqual([['I think.'], ['So']]);
  });

  it('have the input of a call that came later, and no text of sub-agents', () => {
    const late: AgentEvent = {
      type: 'tool-update',
      callId: 'a',
      toolName: 'glob',
      ...TOOL,
      input: { pattern: '*.ts' },
    };
    const whisper: AgentEvent = {
      type: 'text-delta',
      text: 'of a sub-agent',
      textKind: 'text',
      parentCallId: 'a',
    };
    const events = [call('a'), late, whisper, answer('a', 'A'), say('Done.')];
    expect(toUnifiedMessages(events)).toMatchObject([
      { content: [{ id: 'a', input: { pattern: '*.ts' } }, { tool_use_id: 'a' }] },
      { content: [{ type: 'text', text: 'Done.' }] },
    ]);
  });

  it('keep parallel calls together, in any order of their results', () => {
    const events = [call('a'), call('b'), answer('b', 'B'), answer('a', 'A', true), say('Done.')];
    expect(toUnifiedMessages(events)).toMatchObject([
      {
        content: [
          { id: 'a', name: 'Glob', input: { pattern: 'a' } },
          { tool_use_id: 'a', content: 'A', is_error: true },
          { id: 'b' },
          { tool_use_id: 'b', content: 'B', is_error: false },
        ],
      },
      { content: [{ text: 'Done.' }] },
    ]);
  });

  it('put a late result into the message of its call', () => {
    const events = [call('a'), call('b'), answer('a', 'A'), say('Meanwhile.'), answer('b', 'B')];
    expect(toUnifiedMessages(events)).toMatchObject([
      { content: [{ id: 'a' }, { content: 'A' }, { id: 'b' }, { content: 'B' }] },
      { content: [{ text: 'Meanwhile.' }] },
    ]);
  });

  it('have a call that is known only from its result', () => {
    expect(toUnifiedMessages([prompt, answer('a', 'no', true)])).toMatchObject([
      { role: 'user' },
      {
        content: [
          { id: 'a', name: 'Glob' },
          { tool_use_id: 'a', is_error: true },
        ],
      },
    ]);
  });

  it('have a call once that was reported twice', () => {
    const events = [call('a'), answer('a', 'A'), call('a')];
    expect(toUnifiedMessages(events)).toMatchObject([{ content: [{ id: 'a' }, { content: 'A' }] }]);
  });

  it('have the error message of the tool', () => {
    const failed = { ...answer('a', 'shown', true), error: { type: 'x', message: 'told' } };
    expect(toUnifiedMessages([call('a'), failed])).toMatchObject([
      { content: [{}, { content: 'told', is_error: true }] },
    ]);
  });
});
