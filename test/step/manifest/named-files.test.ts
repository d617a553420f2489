import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../src/agents/events/turn-fold.js';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { NamedFiles } from '../../../src/step/manifest/named-files.js';
import { makeFolder } from '../../fixtures/cli/support.js';

const INVOCATION = {
  type: 'tool-invocation',
  callId: 'c',
  toolName: 'run_shell_command',
  category: 'command',
} as const;

function announce(command: string, callId = 'c'): AgentEvent {
  return { ...INVOCATION, callId, kind: 'execute', input: { command } };
}

function call(outcome: ToolCall['outcome'], id = 'c'): ToolCall {
  return { id, name: 'run_shell_command', input: {}, outcome };
}

function open(files: Readonly<Record<string, string>> = {}) {
  const [workingDir, outside] = [makeFolder(), makeFolder(files)];
  // The files of the test are older than the step.
  const named = new NamedFiles(
    { workingDir, workspaceDirs: [workingDir], env: {} },
    { sinceMs: Date.now() + 50 },
  );
  return { named, workingDir, outside };
}

describe('files outside of the workspace that a command names (claim: shell-writes-listed)', () => {
  it('are listed if they were created, changed or removed', async () => {
    const { named, outside } = open({ 'old.txt': 'old', 'gone.txt': 'gone', 'same.txt': 'same' });
    const paths = ['new.txt', 'old.txt', 'gone.txt', 'same.txt'].map((name) => join(outside, name));
    named.accept(announce(`echo ${paths.join(' ')}`));
    writeFileSync(join(outside, 'new.txt'), 'new');
    writeFileSync(join(outside, 'old.txt'), 'changed');
    writeFileSync(join(outside, 'same.txt'), 'same');
    rmSync(join(outside, 'gone.txt'));
    const changes = await named.changes([call('completed')]);
    expect(changes.map(({ path, before }) => [path, before?.content?.toString()])).toEqual([
      [join(outside, 'new.txt'), undefined],
      [join(outside, 'old.txt'), 'old'],
      [join(outside, 'gone.txt'), 'gone'],
    ]);
    expect(changes[0]?.before).toBeNull();
  });

  it('are not listed for a refused call, nor inside of the workspace, nor if they are no files', async () => {
    const { named, outside, workingDir } = open();
    named.accept(announce(`echo > ${join(outside, 'a')} > ${join(workingDir, 'b')} < /dev/null`));
    writeFileSync(join(outside, 'a'), 'a');
    writeFileSync(join(workingDir, 'b'), 'b');
    expect(await named.changes([call('failed')])).toEqual([]);
    expect((await named.changes([call('completed')])).map(({ path }) => path)).toEqual([
      join(outside, 'a'),
    ]);
  });

  it('are new if the event came late and the file was born since the start', async () => {
    const [workingDir, outside] = [makeFolder(), makeFolder({ late: 'x' })];
    const request = { workingDir, workspaceDirs: [workingDir], env: {} };
    const named = new NamedFiles(request, { sinceMs: Date.now() - 60_000 });
    named.accept(announce(`touch ${join(outside, 'late')}`));
    expect(await named.changes([call('completed')])).toEqual([
      { path: join(outside, 'late'), before: null },
    ]);
  });

  it('are listed without their old content if they are large or links, also after the time of the step', async () => {
    const { named, outside } = open({ 'big.txt': 'x'.repeat(1024 * 1024 + 1), 'small.txt': 'old' });
    symlinkSync('nowhere', join(outside, 'link'));
    const paths = ['big.txt', 'link', 'small.txt'].map((name) => join(outside, name));
    named.accept(announce(`cat ${paths.join(' ')}`));
    named.accept(announce(`cat ${paths.join(' ')}`, 'again'));
    writeFileSync(join(outside, 'big.txt'), 'y');
    rmSync(join(outside, 'link'));
    writeFileSync(join(outside, 'small.txt'), 'old');
    const changes = await named.changes([call('completed', 'again')], AbortSignal.abort());
    const found = changes.map(({ path, before }) => [path, before?.content?.toString()]);
    expect(found).toEqual([
      [join(outside, 'big.txt'), undefined],
      [join(outside, 'link'), undefined],
    ]);
  });

  it('are found from the folder of the command, and only for commands', async () => {
    const { named, outside } = open();

    const input = { command: 'touch a', dir_path: outside };
    named.accept({ ...INVOCATION, kind: 'read', input });
    named.accept({ ...INVOCATION, kind: 'execute', input: {} });
    writeFileSync(join(outside, 'a'), 'a');
    expect(await named.changes([call('completed')])).toEqual([]);
    rmSync(join(outside, 'a'));
    named.accept({ ...INVOCATION, kind: 'execute', input });
    writeFileSync(join(outside, 'a'), 'a');
    expect(await named.changes([call('completed')])).toMatchObject([{ path: join(outside, 'a') }]);
  });

  it('are left out if they are folders, have become folders, or were only read', async () => {
    const { named, outside } = open({ 'read.txt': 'x', 'folder/a': 'a', 'becomes.txt': 'x' });
    const paths = ['read.txt', 'folder', 'becomes.txt'].map((name) => join(outside, name));
    named.accept(announce(`cat ${paths.join(' ')}`));
    rmSync(join(outside, 'becomes.txt'));
    mkdirSync(join(outside, 'becomes.txt'));
    writeFileSync(join(outside, 'folder', 'b'), 'b');
    expect(await named.changes([call('completed')])).toEqual([]);
  });

  it('have no known old content if they changed before the event came', async () => {
    const [workingDir, outside] = [makeFolder(), makeFolder({ old: 'x' })];
    const { birthtimeMs } = statSync(join(outside, 'old'));
    await sleep(20);
    writeFileSync(join(outside, 'old'), 'y');
    const request = { workingDir, workspaceDirs: [workingDir], env: {} };
    const named = new NamedFiles(request, { sinceMs: birthtimeMs + 5 });
    named.accept(announce(`touch ${join(outside, 'old')}`));
    expect(await named.changes([call('completed')])).toEqual([
      { path: join(outside, 'old'), before: undefined },
    ]);
  });
});
