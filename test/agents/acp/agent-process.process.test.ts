import { existsSync, readdirSync } from 'node:fs';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AgentProcess } from '../../../src/agents/acp/agent-process.js';
import type { Launch } from '../../../src/agents/acp/launch.js';
import { PoolMember } from '../../../src/agents/acp/pool-member.js';
import type { RetryNotice } from '../../../src/agents/gemini/retry-notice.js';
import { readMemoryMb } from '../../../src/base/process/process-table.js';
import { closeIdleReaper } from '../../../src/base/process/reaper.js';
import { silentLogger } from '../../../src/config/logging.js';
import { failureOf, isAlive, makeFolder } from '../../fixtures/cli/support.js';
import { launchTiny, prompt } from './tiny-agent.js';

afterAll(closeIdleReaper);

async function spawn(launch: Launch = launchTiny()) {
  const process = await AgentProcess.spawn(launch, silentLogger);
  onTestFinished(() => process.end());
  const member = new PoolMember(process);
  const spec = { cwd: makeFolder(), mcpServers: [] };
  return { process, member, spec, open: () => member.open(spec) };
}

describe('an agent process', () => {
  it('completes the handshake and reports its version', async () => {
    const { process } = await spawn();
    expect([process.isReady, process.isAlive]).toEqual([false, true]);
    await process.ready;
    expect([process.isReady, process.identity.version]).toEqual([true, '1.2.3']);
    expect(readMemoryMb(process.pid ?? 0)).toBeGreaterThan(1);
  });

  it('exits when its stdin is closed, and leaves no folder behind', async () => {
    let folder = '';
    const tiny = launchTiny();
    const build: Launch['build'] = (directory, id) => {
      folder = directory.path;
      return tiny.build(directory, id);
    };
    const { process, open } = await spawn({ ...tiny, build });
    const pid = Number(await prompt(await open(), 'pid'));
    expect(existsSync(folder)).toBe(true);
    await Promise.all([process.end(), process.end()]);
    expect(await process.exited).toMatchObject({ exitCode: 0 });
    expect([isAlive(pid), process.isAlive, existsSync(folder)]).toEqual([false, false, false]);
  });

  it('that exits before the handshake is complete is not alive', async () => {
    const { process } = await spawn(launchTiny({ start: 'exit 41 no key' }));
    expect(await failureOf(() => process.ready)).toMatchObject({ failure: { kind: 'closed' } });
    expect(await process.exited).toMatchObject({ exitCode: 41 });
    expect([process.isReady, process.isAlive]).toEqual([false, false]);
    expect(await process.readStderr()).toBe('no key');
  });

  it('that cannot be started has the errno in its exit', async () => {
    const { process } = await spawn({ ...launchTiny(), command: '/no/such/agent' });
    expect(await failureOf(() => process.ready)).toMatchObject({ failure: { kind: 'closed' } });
    expect(await process.exited).toMatchObject({ spawnErrno: 'ENOENT' });
  });

  it('passes retry notices of stderr to listeners, and collects the names of report files', async () => {
    const { process, open } = await spawn();
    const session = await open();
    const notices: RetryNotice[] = [];
    const forget = process.listenForRetries((notice) => void notices.push(notice));
    await prompt(session, 'mutter Attempt 1 failed with status 503. Retrying with backoff...');
    await vi.waitFor(
      () => expect(notices).toMatchObject([{ attempt: 1, httpStatus: 503 }]),
      10_000,
    );
    forget();
    await prompt(await open(), 'mutter Attempt 2 failed with status 503. Retrying with backoff...');
    await prompt(await open(), 'mutter Full report available at: /tmp/gemini-client-error-x.json');
    expect(await process.readStderr()).toContain('Attempt 2');
    expect(notices).toHaveLength(1);
    expect(process.takeReportFiles()).toEqual(['/tmp/gemini-client-error-x.json']);
    expect(process.takeReportFiles()).toEqual([]);
  });

  it('survives a sweep that ends processes which its commands left behind', async () => {
    const { process, open } = await spawn();
    const left = Number(await prompt(await open(), 'leave'));
    expect(await process.sweep()).toBe(1);
    expect(isAlive(left)).toBe(false);
    expect(await process.sweep()).toBe(0);
    expect(await prompt(await open(), 'say here')).toBe('here');
  });

  it('leaves no file descriptor open', async () => {
    const countOpen = () => readdirSync('/proc/self/fd').length;
    const live = async () => {
      const { process, open } = await spawn();
      await prompt(await open(), 'say x');
      await process.end();
    };
    await live();
    const before = countOpen();
    for (let round = 0; round < 3; round++) await live();
    await expect.poll(countOpen).toBeLessThanOrEqual(before + 1);
  });
});

describe('the sessions of a process', () => {
  it('are created one after another, even if many are requested at once', async () => {
    const { member, open } = await spawn();
    const sessions = await Promise.all(Array.from({ length: 6 }, open));
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(6);
    expect(member.created).toBe(6);
    const [first] = sessions;
    expect(first && (await prompt(first, 'overlap'))).toBe('1');
  });

  it('are created even if an earlier session could not be loaded', async () => {
    const { member, spec, open } = await spawn();
    const failing = failureOf(() => member.load(spec, 'none'));
    const following = open();
    expect(await failing).toMatchObject({ failure: { kind: 'refused' } });
    expect(await prompt(await following, 'say fine')).toBe('fine');
  });

  it('are kept as spares for the same folder only', async () => {
    const { member, spec, open } = await spawn();
    await open();
    await open();
    member.createSpares(spec, () => 1);
    expect(member.hasSpare(spec)).toBe(true);
    expect(member.hasSpare({ ...spec, cwd: '/elsewhere' })).toBe(false);
    member.createSpares(spec, () => 1);
    await open();
    expect(member.served).toBe(3);
    // The next spare session is being created.
    expect(member.hasSpare(spec)).toBe(true);
  });

  it('are not created in advance on a retired process', async () => {
    const { member, spec, open } = await spawn();
    await open();
    await open();
    member.isRetired = true;
    member.createSpares(spec, () => 1);
    expect(member.hasSpare(spec)).toBe(false);
  });
});
