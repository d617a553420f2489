import { describe, expect, it } from 'vitest';
import type { AcpFacts } from '../../../src/agents/acp/acp-facts.js';
import { geminiProfile } from '../../../src/agents/acp/gemini-profile.js';
import { createGenericProfile } from '../../../src/agents/acp/generic-profile.js';
import { judgeAcp } from '../../../src/agents/acp/judge-acp.js';
import { TurnFold } from '../../../src/agents/events/turn-fold.js';
import { SEED_PROMPT_RESPONSE } from './seed-examples.js';

const agent = createGenericProfile('Agent');

/** Creates the fold of a turn with this text and, if asked for, a tool call after it. */
function folded({ text = 'fine', toolAfter = false } = {}): TurnFold {
  const fold = new TurnFold();
  if (text !== '') fold.accept({ type: 'text-delta', text, textKind: 'text' });
  if (toolAfter) {
    const call = { callId: 'c', toolName: 't', kind: 'edit', category: 'file-write' } as const;
    fold.accept({ type: 'tool-invocation', ...call, input: {} });
  }
  return fold;
}

function judge(facts: Partial<AcpFacts>, fold = folded(), profile = agent) {
  return judgeAcp({ profile, wasReady: true, stderr: '', ...facts }, { fold });
}

describe('a turn', () => {
  it.each([agent, geminiProfile])('that ends with the response of seed 002 succeeds', (profile) => {
    expect(judge({ response: SEED_PROMPT_RESPONSE }, folded(), profile)).toEqual({
      ok: true,
      recovered: false,
    });
  });

  it.each([
    ['max_tokens', 'CONTEXT_OVERFLOW'],
    ['max_turn_requests', 'TURN_LIMIT'],
    ['refusal', 'CONTENT_BLOCKED'],
    ['cancelled', 'CANCELLED'],
    ['something_new', 'UNKNOWN'],
  ])('that ends with the stop reason %s gives %s', (stopReason, code) => {
    expect(judge({ response: { stopReason } })).toMatchObject({ ok: false, code });
  });

  it('that ends well although a file could not be written on a full disk gives TOOL_FAILED', () => {
    const response = { stopReason: 'end_turn' };
    const failure = {
      ok: false,
      code: 'TOOL_FAILED',
      message: expect.stringMatching(/disk is full/),
    };
    expect(judge({ response })).toMatchObject({ ok: true });
    expect(judge({ response, withoutSpace: ['a.txt'] })).toMatchObject(failure);
    const fold = folded();
    const call = {
      callId: 'w',
      toolName: 'write_file',
      kind: 'edit',
      category: 'file-write',
    } as const;
    fold.accept({ type: 'tool-invocation', ...call, input: { file_path: 'a.txt' } });
    const error = { type: 'tool_failed', message: 'ENOSPC: no space left on device, write' };
    fold.accept({ type: 'tool-completion', ...call, status: 'failed', isError: true, error });
    fold.accept({ type: 'text-delta', text: 'done', textKind: 'text' });
    expect(judge({ response }, fold)).toMatchObject(failure);
  });

  it.each([undefined, null, {}, { stopReason: 7 }, 'end_turn', []])(
    'with the response %j gives PROTOCOL',
    (response) => {
      expect(judge({ response })).toMatchObject({ ok: false, code: 'PROTOCOL' });
    },
  );

  it('without text, tool calls and output tokens gives EMPTY_RESPONSE', () => {
    const response = { stopReason: 'end_turn' };
    const silent = folded({ text: '' });
    expect(judge({ response }, silent)).toMatchObject({ code: 'EMPTY_RESPONSE' });
    expect(judge({ response: { ...response, usage: { outputTokens: 0 } } }, silent)).toMatchObject({
      code: 'EMPTY_RESPONSE',
    });
    // A tool call or output tokens show that the agent worked.
    expect(judge({ response }, folded({ text: '', toolAfter: true }))).toMatchObject({ ok: true });
    expect(judge({ response: { ...response, usage: { outputTokens: 5 } } }, silent)).toMatchObject({
      ok: true,
    });
  });

  it('of the Gemini CLI gives EMPTY_RESPONSE if it does not end with text', () => {
    const response = { stopReason: 'end_turn', _meta: { quota: {} } };
    const ends = [folded({ text: '' }), folded({ text: ' \n' }), folded({ toolAfter: true })];
    for (const fold of ends) {
      expect(judge({ response }, fold, geminiProfile)).toMatchObject({ code: 'EMPTY_RESPONSE' });
    }
    expect(
      judge({ response: { stopReason: 'max_tokens' } }, folded({ text: '' }), geminiProfile),
    ).toMatchObject({ code: 'CONTEXT_OVERFLOW' });
  });

  it('that the provider stopped is judged by the stop reason alone', () => {
    const facts = {
      response: { stopReason: 'cancelled' },
      rpcError: { code: 500, message: 'x' },
      exit: { exitCode: 1, signal: undefined, spawnErrno: undefined },
    };
    const timeout = { kind: 'timeout', phase: 'idle', limitMs: 2000 } as const;
    expect(judge({ ...facts, stopReason: timeout })).toMatchObject({
      code: 'TIMEOUT',
      phase: 'idle',
    });
    expect(judge({ ...facts, stopReason: { kind: 'cancelled' } })).toMatchObject({
      code: 'CANCELLED',
    });
    const permission = { kind: 'permission', tool: 'shell', hint: 'Allow it.' } as const;
    expect(judge({ ...facts, stopReason: permission })).toMatchObject({
      code: 'TOOL_FAILED',
      message: expect.stringContaining('shell'),
      hint: 'Allow it.',
    });
    expect(judge(facts)).toMatchObject({ code: 'API_UNAVAILABLE' });
  });
});

describe('an agent that exited', () => {
  const exited = (exitCode: number | undefined, signal?: string, spawnErrno?: string) => {
    return { exit: { exitCode, signal, spawnErrno } };
  };

  it('during a turn gives INCOMPLETE', () => {
    expect(judge(exited(3))).toMatchObject({
      code: 'INCOMPLETE',
      message: 'Agent exited with 3 before the end of the turn',
    });
    expect(judge(exited(0))).toMatchObject({ code: 'INCOMPLETE' });
    expect(judge(exited(undefined, 'SIGTERM'))).toMatchObject({
      code: 'INCOMPLETE',
      message: 'Agent was killed by SIGTERM before its result',
    });
    const stderr = 'FATAL ERROR: Reached heap limit - JavaScript heap out of memory';
    expect(judge({ ...exited(undefined, 'SIGABRT'), stderr })).toMatchObject({
      message: expect.stringContaining('out of memory'),
    });
  });

  it('by a SIGKILL that this package did not send names memory as the cause (claim: oom-is-named)', () => {
    const killed = exited(undefined, 'SIGKILL');
    expect(judge(killed)).toMatchObject({
      code: 'INCOMPLETE',
      message: expect.stringMatching(/^Agent was killed by SIGKILL before its result, .*memory/),
      hint: expect.stringContaining('oom-kill'),
    });
    const ended = judge({ ...killed, wasEnded: true });
    expect(ended).toMatchObject({
      code: 'INCOMPLETE',
      message: expect.not.stringMatching(/memory/),
    });
  });

  it.each([
    [41, '', 'AUTH'],
    [42, '', 'INVALID_INPUT'],
    [44, '', 'SANDBOX'],
    [52, '', 'CLI_CONFIG'],
    [55, '', 'UNTRUSTED_WORKSPACE'],
    [127, '', 'CLI_NOT_FOUND'],
    [1, 'Usage: gemini [options]\n\nUnknown argument: acp', 'CLI_CONFIG'],
    [1, 'Please set an Auth method in settings.json', 'AUTH'],
    [1, 'Segmentation fault', 'PROTOCOL'],
    [0, '', 'PROTOCOL'],
  ])('before the handshake with code %i and stderr "%s" gives %s', (exitCode, stderr, code) => {
    const facts = { ...exited(exitCode), stderr, wasReady: false };
    expect(judge(facts, folded(), geminiProfile)).toMatchObject({ code });
    // Exit codes and messages of another agent are not known.
    expect(judge(facts)).toMatchObject({
      code: 'PROTOCOL',
      message: `Agent exited with ${exitCode} before the ACP handshake was complete`,
    });
  });

  it('because it could not be started gives CLI_NOT_FOUND', () => {
    expect(judge({ ...exited(undefined, undefined, 'ENOENT'), wasReady: false })).toMatchObject({
      code: 'CLI_NOT_FOUND',
      message: 'Agent could not be started (ENOENT)',
    });
  });

  it('gets the hint for its own profile, not the hint for the Gemini CLI', () => {
    const facts = { ...exited(1), wasReady: false };
    expect(judge(facts)).toMatchObject({ code: 'PROTOCOL', hint: agent.hints.PROTOCOL });
    expect(agent.hints.PROTOCOL).toContain('start Agent as an ACP agent');
    expect(judge(facts, folded(), geminiProfile)).toMatchObject({ hint: undefined });
  });

  it('because it was killed during its start gives INCOMPLETE', () => {
    expect(judge({ ...exited(undefined, 'SIGKILL'), wasReady: false })).toMatchObject({
      code: 'INCOMPLETE',
    });
  });
});

describe('an error response before the prompt', () => {
  const settings =
    'Error in /w/.gemini/settings.json: Unexpected token \'X\', "X" is not valid JSON\nPlease fix the configuration file(s) and try again.';
  const rpcError = (details: string) => ({
    rpcError: { code: -32_603, message: 'Internal error', data: { details } },
    wasPrompted: false,
  });

  it('about settings gives CLI_CONFIG and names the file (claim: settings-are-cli-config)', () => {
    expect(judge(rpcError(settings), folded(), geminiProfile)).toMatchObject({
      code: 'CLI_CONFIG',
      message: expect.stringContaining('/w/.gemini/settings.json'),
    });
  });

  it('is no network error because of its words (claim: no-network-before-request)', () => {
    const words = rpcError('Unexpected end of JSON input');
    expect(judge(words)).toMatchObject({ code: 'UNKNOWN' });
    expect(judge(words, folded(), geminiProfile)).toMatchObject({ code: 'UNKNOWN' });
    expect(judge({ ...words, wasPrompted: true })).toMatchObject({ code: 'NETWORK' });
  });

  it('is a network error if it names a failed connection', () => {
    expect(judge(rpcError('fetch failed: ECONNREFUSED'))).toMatchObject({ code: 'NETWORK' });
  });
});
