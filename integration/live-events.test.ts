import type { AgentEvent } from 'gemini-cli-provider';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Lab, openLab, shareLab } from './support.js';
import { writing } from './tool-calls.js';

async function collect(lab: Lab, prompt = 'go'): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of lab.provider.stream(prompt)) events.push(event);
  return events;
}

function ofType<Type extends AgentEvent['type']>(events: readonly AgentEvent[], type: Type) {
  return events.filter(
    (event): event is Extract<AgentEvent, { type: Type }> => event.type === type,
  );
}

/** The model takes its time, so that each content of the file can be read before the next one. */
const SCRIPT = [
  { text: 'I write. ', ...writing('src/a.ts', 'a\n') },
  { ...writing('src/a.ts', 'b\n'), latencyMs: 700 },
  { text: 'Done.', latencyMs: 700 },
];

describe.each(['headless', 'acp'] as const)('the events of a step over %s', (transport) => {
  // The first three tests look at the same step.
  const lab = shareLab(SCRIPT, { config: { transport } });
  let events: readonly AgentEvent[] = [];
  let startedMs = 0;
  beforeAll(async () => {
    startedMs = Date.now();
    events = await collect(lab());
  });

  it('all have a time, and tell usage and file changes while the step runs', () => {
    const times = events.map(({ timestamp }) => Date.parse(timestamp ?? ''));
    expect(times.filter((time) => !(time >= startedMs - 1000 && time <= Date.now()))).toEqual([]);
    expect(ofType(events, 'file-change')).toMatchObject([
      {
        path: 'src/a.ts',
        kind: 'created',
        toolName: 'write_file',
        diff: expect.stringContaining('+a'),
      },
      { path: 'src/a.ts', kind: 'modified', diff: expect.stringContaining('-a\n+b') },
    ]);
    const usages = ofType(events, 'usage-update').map(({ usage }) => usage);
    expect(usages.length).toBeGreaterThan(1);
    const end = ofType(events, 'turn-complete')[0];
    expect(usages.at(-1)?.total).toBe(end?.usage?.total);
    const totals = usages.map(({ total }) => total);
    expect(totals).toEqual(totals.toSorted((a, b) => a - b));
    expect(events.at(-1)?.type).toBe('turn-complete');
  });

  it('have the derived facts of a write, and the last message of the agent', () => {
    const [first] = ofType(events, 'tool-completion');
    expect(first?.derived?.mutation).toMatchObject({
      tool: 'write_file',
      path: expect.stringMatching(/src\/a\.ts$/),
    });
    const { raw } = ofType(events, 'turn-complete')[0] ?? {};
    expect(raw).toMatchObject(
      transport === 'headless'
        ? { type: 'result', status: 'success', stats: { duration_ms: expect.any(Number) } }
        : { stopReason: 'end_turn' },
    );
  });

  it('name the agent and its offers at the beginning of a session over ACP', () => {
    const [init] = ofType(events, 'session-init');
    const [mode] = ofType(events, 'session-mode');
    if (transport === 'headless') {
      expect([init?.agent, mode]).toEqual([undefined, undefined]);
      return;
    }
    expect(init?.agent).toMatchObject({
      protocolVersion: 1,
      capabilities: { loadSession: true },
    });
    expect(init?.raw).toMatchObject({ sessionId: init?.sessionId });
    expect(init?.models?.length).toBeGreaterThan(1);
    expect(mode?.modes?.map(({ id }) => id)).toContain('yolo');
  });

  it('have usage and reason if the caller cancels the step', async () => {
    const stall = { text: ['I wait'], endless: 'stall' as const };
    const lab = await openLab([writing('a.txt', 'x'), stall], { config: { transport } });
    const caller = new AbortController();
    const reason = new Error('Budget used up');
    const running = lab.provider.stream('go', {}, { signal: caller.signal });
    const consume = async () => {
      for await (const event of running) {
        if (event.type === 'text-delta' && event.textKind === 'text') caller.abort(reason);
      }
    };
    const error: unknown = await consume().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'CANCELLED',
      cause: reason,
      partial: { usage: { total: 110 } },
    });
  });
});

it('the usage of a step over ACP is known if its time is over', async () => {
  const stall = { text: ['I wait'], endless: 'stall' as const };
  const script = [
    { prompt: 'warm up', turns: [{ text: 'Ready.' }] },
    { turns: [writing('a.txt', 'x'), stall] },
  ];
  const lab = await openLab(script, { config: { transport: 'acp' } });
  // Without the start of the CLI, the time is short and still enough on a busy machine.
  await lab.run('warm up');
  expect(await lab.fail('go', { idleTimeout: 6 })).toMatchObject({
    code: 'TIMEOUT',
    phase: 'idle',
    partial: { usage: { total: 110 } },
  });
});
