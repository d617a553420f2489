import { onTestFinished } from 'vitest';
import { createAgentLaunch } from '../../../src/agents/acp/agent-launch.js';
import { AgentPool } from '../../../src/agents/acp/agent-pool.js';
import type { Launch } from '../../../src/agents/acp/launch.js';
import type { PoolSlot } from '../../../src/agents/acp/pool-slot.js';
import type { SessionHandle } from '../../../src/agents/acp/session-handle.js';
import type { SlotRequest } from '../../../src/agents/acp/slot-queue.js';
import type { PoolOptions } from '../../../src/api/warm-pool.js';
import { silentLogger } from '../../../src/config/logging.js';
import { makeFolder, program } from '../../fixtures/cli/support.js';

interface TinyLaunch {
  /** Value of the variable START, see `acp-agent.mjs`. */
  readonly start?: string;
  readonly args?: readonly string[];
  readonly authMethod?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Creates the launch of the tiny agent. */
export function launchTiny({
  start = '',
  args = [],
  authMethod,
  env = {},
}: TinyLaunch = {}): Launch {
  return createAgentLaunch({
    name: 'Tiny',
    command: process.execPath,
    args: [program('acp-agent.mjs'), ...args],
    authMethod,
    workingDir: process.cwd(),
    env: { PATH: process.env['PATH'] ?? '', START: start, ...env },
    capabilities: { files: false, terminals: false },
  });
}

/** Creates a pool of one process that is disposed of after the test. The default depends on the machine. */
export function openPool(options: PoolOptions = {}) {
  const pool = new AgentPool({ maxProcesses: 1, ...options });
  onTestFinished(() => pool.dispose());
  const launch = launchTiny();
  const cwd = makeFolder();
  const acquire = (more: Partial<SlotRequest> & { readonly cwd?: string } = {}) => {
    return pool.acquire({
      launch,
      spec: { cwd: more.cwd ?? cwd, mcpServers: [] },
      isExclusive: false,
      signal: new AbortController().signal,
      logger: silentLogger,
      ...more,
    });
  };
  return { pool, acquire };
}

/** Sends a prompt and returns the text of the answer. */
export async function prompt(session: SessionHandle, text: string): Promise<string> {
  const updates: unknown[] = [];
  session.attach({ onUpdate: (update) => void updates.push(update), onRequest: async () => ({}) });
  await session.prompt(text);
  session.detach();
  return updates.map((update) => readText(update)).join('');
}

function readText(update: unknown): string {
  const { content }: { content?: { text?: unknown } } = { ...Object(update) };
  return typeof content?.text === 'string' ? content.text : '';
}

/** Runs a prompt in a slot and releases the slot. */
export async function step(slot: PoolSlot, text = 'pid'): Promise<string> {
  const session = await slot.open();
  const answer = await prompt(session, text);
  slot.release();
  return answer;
}
