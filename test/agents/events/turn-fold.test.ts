import { describe, expect, it } from 'vitest';
import { TurnFold } from '../../../src/agents/events/turn-fold.js';
import type { AgentEvent } from '../../../src/api/agent-event.js';

function told(text: string, type: 'text' | 'text-delta' = 'text-delta'): AgentEvent {
  return { type, text, textKind: 'text' };
}

function call(callId: string, toolName = 'read_file'): AgentEvent {
  return {
    type: 'tool-invocation',
    callId,
    toolName,
    kind: 'read',
    category: 'file-read',
    input: { file_path: 'a.txt' },
  };
}

function done(callId: string, error?: { type: string; message: string }): AgentEvent {
  return {
    type: 'tool-completion',
    callId,
    toolName: undefined,
    kind: 'other',
    category: 'unknown',
    status: error === undefined ? 'completed' : 'failed',
    isError: error !== undefined,
    error,
  };
}

function fold(...events: AgentEvent[]): TurnFold {
  const folded = new TurnFold();
  for (const event of events) folded.accept(event);
  return folded;
}

describe('a fold without events', () => {
  it('is empty', () => {
    const folded = fold();
    expect(folded.text).toBe('');
    expect(folded.answers).toEqual([]);
    expect(folded.toolCalls).toEqual([]);
    expect(folded.remarks).toEqual([]);
    expect(folded.endsWithTool).toBe(false);
    expect([folded.sessionId, folded.model]).toEqual([undefined, undefined]);
  });
});

describe('the text of a turn', () => {
  it('is joined from its pieces', () => {
    expect(fold(told('Hel'), told('lo '), told('world', 'text')).text).toBe('Hello world');
  });

  it('is split into answers by the tool calls between them', () => {
    const folded = fold(
      told('A'),
      told('B'),
      call('1'),
      done('1'),
      told('C'),
      call('2'),
      told('D'),
    );
    expect(folded.answers).toEqual(['AB', 'C', 'D']);
    expect(folded.text).toBe('ABCD');
  });

  it('has no answer for a model turn without text', () => {
    expect(fold(call('1'), done('1'), call('2'), done('2'), told('end')).answers).toEqual(['end']);
    expect(fold(told(''), call('1'), told('end')).answers).toEqual(['end']);
  });

  it('leaves out thoughts, plans and the prompt', () => {
    const folded = fold(
      { type: 'user-input', text: 'prompt', isSynthetic: false },
      { type: 'text', text: 'hm', textKind: 'thinking' },
      { type: 'text-delta', text: 'first', textKind: 'plan' },
      told('answer'),
    );
    expect(folded.text).toBe('answer');
  });

  it('may be followed by a tool call', () => {
    expect(fold(told('A'), call('1'), done('1')).endsWithTool).toBe(true);
    expect(fold(told('A'), call('1'), done('1'), told('B')).endsWithTool).toBe(false);
  });
});

describe('the tool calls of a turn', () => {
  it('are listed in the order of the model, with their outcome', () => {
    const error = { type: 'file_not_found', message: 'no such file' };
    const folded = fold(call('1'), call('2', 'glob'), call('3'), done('2', error), done('1'));
    expect(folded.toolCalls).toMatchObject([
      { id: '1', name: 'read_file', input: { file_path: 'a.txt' }, outcome: 'completed' },
      { id: '2', name: 'glob', outcome: 'failed', error },
      { id: '3', name: 'read_file', outcome: 'pending' },
    ]);
  });

  it('include a call of which only the result is known', () => {
    expect(fold(done('9')).toolCalls).toEqual([
      { id: '9', name: 'unknown', input: {}, outcome: 'completed', error: undefined },
    ]);
  });
});

describe('the fold of a turn', () => {
  it('has the session and the model', () => {
    expect(fold({ type: 'session-init', sessionId: 's1', model: 'm1' })).toMatchObject({
      sessionId: 's1',
      model: 'm1',
    });
  });

  it('has every remark, in order', () => {
    const folded = fold(
      { type: 'session-status', status: 'retrying', message: 'again', attempt: 1 },
      { type: 'session-status', status: 'repairing', message: 'this is ours', attempt: 1 },
      { type: 'session-status', status: 'retrying', message: 'of another step?', ofProcess: true },
      { type: 'session-status', status: 'warning', message: 'careful' },
    );
    expect(folded.remarks).toEqual([
      { status: 'retrying', message: 'again' },
      { status: 'warning', message: 'careful' },
    ]);
  });

  it('ignores other events', () => {
    const folded = fold({ type: 'unknown', raw: {} }, { type: 'plan', entries: ['x'] });
    expect([folded.text, folded.toolCalls, folded.remarks]).toEqual(['', [], []]);
  });
});
