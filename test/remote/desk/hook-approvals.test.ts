import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { BrokerAnswer, RequestDraft } from '../../../src/remote/broker/approval-broker.js';
import { ApprovalBroker } from '../../../src/remote/broker/approval-broker.js';
import { HookApprovals } from '../../../src/remote/desk/hook-approvals.js';
import { skipSleeps } from '../skip-sleeps.js';
import { ASKING, boxOf, createPane, dialogOf, WORKING } from '../tmux/scripted-pane.js';
import { announcementOf, callOf, execOf, shellOf } from './hooks.js';

const OPTIONS = ['Allow once', 'Allow for this session', 'No, suggest changes (esc)'];
const IDLE = { text: boxOf('  Type your message'), title: WORKING };
const screenOf = (...rows: readonly string[]) => ({
  text: dialogOf([...rows, ''], OPTIONS),
  title: ASKING,
});
const shellScreen = (command: string, ...more: readonly string[]) =>
  screenOf(`? Shell  ${command}`, `│ ${command} │`, ...more, 'Allow execution of [Shell]?');
const WARNING = '⚠  ⚠️ CRITICAL SECURITY WARNING: Untrusted Command Flags Detected';
const ALLOW: BrokerAnswer = {
  outcome: 'decided',
  decision: { type: 'allow', inputHash: '' },
  by: 'phone',
};
const never = new AbortController().signal;

/** Approvals in a pane, with a person who is away and answers by `ask`. */
function create(
  ask: (draft: Omit<RequestDraft, 'sessionId'>, signal: AbortSignal) => Promise<BrokerAnswer>,
) {
  skipSleeps();
  const presence = { isAway: true };
  const scripted = createPane(IDLE);
  for (const key of ['1', 'Escape']) scripted.onKey(key, IDLE);
  const drafts: Omit<RequestDraft, 'sessionId'>[] = [];
  const ending = new AbortController();
  const approvals = new HookApprovals({
    sink: {
      ...{ sessionId: 's', add: () => {}, update: () => {}, preview: () => {} },
      ...{ usage: () => {}, spend: () => {} },
      ask: (draft, signal) => {
        drafts.push(draft);
        return ask(draft, signal);
      },
    },
    ...{
      pane: scripted.pane,
      canPress: () => true,
      isAway: () => presence.isAway,
      mode: () => 'default',
    },
    ...{ signal: ending.signal, promptNext: () => {}, onUnseen: () => {} },
  });
  const answered = () => vi.waitUntil(() => !approvals.isAnswering, { interval: 1 });
  /** Announces a dialog, draws it, and waits until it is over. */
  const show = async (hook: ReturnType<typeof execOf>, screen: { text: string; title: string }) => {
    scripted.show(screen);
    await approvals.notification(hook, never);
    await answered();
  };
  return { ...scripted, draw: scripted.show, approvals, drafts, ending, presence, show };
}

describe('a call that was allowed while it was held', () => {
  it('is allowed by the key in its dialog', async () => {
    const { approvals, drafts, keys, show } = create(async () => ALLOW);
    await approvals.beforeTool(shellOf('npm test'), never);
    await show(execOf('npm test'), shellScreen('npm test'));
    expect([drafts.length, keys]).toEqual([1, ['1']]);
  });

  it('asks again if its dialog has a warning, and shows the warning', async () => {
    const { approvals, drafts, show } = create(async () => ALLOW);
    await approvals.beforeTool(shellOf('npm test'), never);
    await show(execOf('npm test'), shellScreen('npm test', WARNING));
    expect(drafts).toHaveLength(2);
    expect(drafts[1]).toMatchObject({ command: 'npm test', isOnceOnly: true });
    expect(drafts[1]?.text).toContain('Untrusted Command Flags');
  });

  it('asks again if another call has the same command in another folder', async () => {
    const { approvals, drafts, show } = create(async ({ reasonWay }) =>
      reasonWay === 'refusal' ? ALLOW : { outcome: 'desk' },
    );
    await approvals.beforeTool(shellOf('rm -rf build', { dir_path: 'a' }), never);
    await approvals.beforeTool(shellOf('rm -rf build', { dir_path: 'prod' }), never);
    const shown = show(execOf('rm -rf build'), shellScreen('rm -rf build'));
    await vi.waitUntil(() => drafts.length === 3, { interval: 1 });
    expect(drafts[2]).toMatchObject({ input: { command: 'rm -rf build' }, isOnceOnly: true });
    expect(drafts[2]?.text).toContain('"dir_path": "prod"');
    approvals.release();
    await shown;
  });

  it('is not allowed if the turn has ended while the answer was being written', async () => {
    const { approvals, drafts, presence, show } = create(async () => {
      approvals.release();
      return ALLOW;
    });
    await approvals.beforeTool(shellOf('npm test'), never);
    presence.isAway = false;
    // The same command once more, for which the person was not asked.
    await approvals.beforeTool(shellOf('npm test'), never);
    await show(execOf('npm test'), shellScreen('npm test'));
    expect(drafts.map(({ reasonWay }) => reasonWay)).toEqual(['refusal', 'new-turn']);
  });

  it('is refused in any case if the person has refused it', async () => {
    const { approvals } = create(async () => {
      approvals.release();
      return { outcome: 'decided', decision: { type: 'deny', reason: 'no' }, by: 'phone' };
    });
    const answer = await approvals.beforeTool(shellOf('npm test'), never);
    expect(answer).toEqual({ decision: 'deny', reason: 'no' });
  });
});

describe('parallel calls of one MCP tool', () => {
  const hook = announcementOf({ type: 'mcp', serverName: 'louder', toolName: 'shout' });
  const screenFor = (text: string) =>
    screenOf(
      ...['Action Required', `?  shout (louder) {"text":"${text}"}`],
      'Allow execution of MCP tool "shout" from server "louder"?',
    );
  const open = async (ask: () => Promise<BrokerAnswer>) => {
    const created = create(ask);
    for (const text of ['one', 'two'])
      await created.approvals.beforeTool(callOf('mcp_louder_shout', { text }), never);
    return created;
  };

  it('are shown by the text of their dialog, with the arguments of both', async () => {
    const { drafts, keys, show } = await open(async () => ALLOW);
    await show(hook, screenFor('two'));
    expect(drafts).toMatchObject([{ toolName: 'mcp_louder_shout', input: {} }]);
    expect(drafts[0]?.text).toContain('shout (louder) {"text":"two"}');
    expect(drafts[0]?.text).toContain('"text": "one"');
    expect(keys).toEqual(['1']);
  });

  it('get the key in the dialog that was shown alone', async () => {
    const created = await open(async () => {
      created.draw(screenFor('one'));
      return ALLOW;
    });
    await created.show(hook, screenFor('two'));
    expect(created.keys).toEqual([]);
  });
});

describe('signals of a session', () => {
  it('keep nothing of a hook that is over', async () => {
    const { approvals, ending, show } = create(async () => ALLOW);
    const any = vi.spyOn(AbortSignal, 'any');
    onTestFinished(() => any.mockRestore());
    for (let at = 0; at < 3; at++) {
      await approvals.beforeTool(shellOf(`npm test ${at}`), never);
      await show(execOf(`npm test ${at}`), shellScreen(`npm test ${at}`));
    }
    expect(getEventListeners(ending.signal, 'abort')).toHaveLength(0);
    expect(getEventListeners(never, 'abort')).toHaveLength(0);
    // Node 20 keeps a trace of each such signal with its sources.
    expect(any).not.toHaveBeenCalled();
  });
});

describe('rules of a session', () => {
  const log = { opened: () => {}, closed: async () => {}, settled: () => {}, ruled: () => {} };

  it('answer no dialog that shows more than its call, and none is made from it', async () => {
    const broker = new ApprovalBroker(log);
    const rule = { sessionId: 's', toolName: 'run_shell_command', command: 'npm test', input: {} };
    broker.rules.create({ ...rule, input: { command: 'npm test' } }, 'phone');
    const { approvals, drafts, show } = create((draft, signal) =>
      broker.ask({ ...draft, sessionId: 's' }, signal),
    );
    await approvals.beforeTool(shellOf('npm test'), never);
    const shown = show(execOf('npm test'), shellScreen('npm test', WARNING));
    await vi.waitUntil(() => broker.list().length === 1, { interval: 1 });
    expect(broker.list()[0]).toMatchObject({ isOnceOnly: true, rule: undefined });
    approvals.release();
    await shown;
    // The text of the sandbox asks for more than the command.
    const sandbox = announcementOf({
      type: 'sandbox_expansion',
      title: 'Sandbox Expansion Request',
    });
    await approvals.beforeTool(shellOf('npm test'), never);
    const asked = show(sandbox, screenOf('? Shell  npm test', '• Network: All Urls'));
    await vi.waitUntil(() => broker.list().length === 1, { interval: 1 });
    expect(broker.list()[0]).toMatchObject({
      ...{ toolName: '', title: 'Sandbox Expansion Request', rule: undefined },
      text: expect.stringContaining('Network: All Urls'),
    });
    approvals.release();
    await asked;
    expect(drafts.length).toBeGreaterThan(2);
  });
});
