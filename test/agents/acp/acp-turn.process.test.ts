import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AcpTurn } from '../../../src/agents/acp/acp-turn.js';
import { EventQueue } from '../../../src/agents/acp/event-queue.js';
import { createGenericProfile } from '../../../src/agents/acp/generic-profile.js';
import { TurnFold } from '../../../src/agents/events/turn-fold.js';
import { resolveAgentStep } from '../../../src/agents/resolve-step.js';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { createPrivateDirectory } from '../../../src/base/process/private-directory.js';
import { closeIdleReaper } from '../../../src/base/process/reaper.js';
import { resolveConfig } from '../../../src/config/resolve-config.js';
import { makeFolder } from '../../fixtures/cli/support.js';
import { launchTiny, openPool } from './tiny-agent.js';

afterAll(closeIdleReaper);

const CLI = { path: 'x', foundIn: 'x', command: 'x', args: [], script: undefined };

/** Prepares a turn of the tiny agent. `onReports` is called while the turn searches error reports. */
async function openTurn(text: string, onReports: (fold: TurnFold) => void = () => {}) {
  const { pool, acquire } = openPool();
  const directory = await createPrivateDirectory();
  onTestFinished(() => directory.remove());
  const caller = new AbortController();
  const { signal } = caller;
  const config = resolveConfig({ transport: 'acp', workingDir: makeFolder() });
  const step = { generationId: 'generation-1', config, context: {} };
  const resolved = resolveAgentStep(step, {}, { location: CLI, version: undefined });
  const fold = new TurnFold();
  const findReports = async () => {
    onReports(fold);
    return [{ path: '/tmp/report.json', errorType: undefined }];
  };
  const profile = { ...createGenericProfile('Tiny'), findReports };
  const slot = await acquire();
  const turn = new AcpTurn({
    request: { resolved, pool, launch: launchTiny(), profile, resumed: undefined, signal },
    turn: {
      prompt: { text, warnings: [], moreDirectories: [], systemPromptFile: undefined },
      directory,
      spentMs: 0,
      mayContinue: false,
      fold,
      observe: (event: AgentEvent) => {
        fold.accept(event);
        return event;
      },
    },
    slot,
    queue: new EventQueue(directory.file('events.ndjson')),
    signal,
  });
  return { turn, slot, caller };
}

describe('the outcome of a turn over ACP', () => {
  it('has no stop reason if the caller cancels after the answer', async () => {
    const { turn, slot, caller } = await openTurn('say x');
    vi.spyOn(slot.process, 'readStderr').mockImplementation(async () => {
      caller.abort();
      return 'read';
    });
    const { facts, exit } = await turn.take();
    expect(facts).toMatchObject({ stderr: 'read', wasReady: true, stopReason: undefined });
    expect(exit).toMatchObject({ stderr: 'read', stopReason: undefined });
  });

  it('has the warnings of events that come while error reports are searched', async () => {
    const { turn } = await openTurn('refuse -32603 oops', (fold) => {
      fold.accept({ type: 'session-status', status: 'warning', message: 'late' });
    });
    const { warnings, reportFiles } = await turn.take();
    expect(warnings).toMatchObject([{ message: expect.stringContaining('late') }]);
    expect(reportFiles).toEqual(['/tmp/report.json']);
  });
});
