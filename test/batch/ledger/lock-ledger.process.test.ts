import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { makeTree } from '../../base/fs/make-tree.js';

const RACER = join(import.meta.dirname, '..', '..', 'fixtures', 'lock-racer.mjs');

type Racer = ChildProcessByStdio<Writable, Readable, null>;

function start(ledger: string): Racer {
  const racer = spawn(process.execPath, [RACER, ledger], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => {
    racer.kill('SIGKILL');
  });
  return racer;
}

async function readLine({ stdout }: Racer): Promise<string> {
  const [line] = await once(stdout, 'data');
  return String(line).trim();
}

it('lets exactly one of ten processes take over a stale lock', async () => {
  const stale = JSON.stringify({ pid: 2 ** 22 + 1, host: '', startedAt: '', processStart: 1 });
  const ledger = join(makeTree({ 'ledger.jsonl.lock': stale.slice(1) }), 'ledger.jsonl');
  const racers = Array.from({ length: 10 }, () => start(ledger));
  await Promise.all(racers.map(readLine));
  const answers = racers.map(readLine);
  for (const racer of racers) racer.stdin.write('go');
  const said = await Promise.all(answers);
  expect(said.filter((line) => line === 'won')).toHaveLength(1);
  const winner = racers[said.indexOf('won')]?.pid;
  for (const line of said) if (line !== 'won') expect(line).toContain(`process ${winner}, started`);
});
