import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BatchEvent } from '../../../src/api/batch-event.js';
import type { BatchOptions } from '../../../src/api/batch-options.js';
import type { BatchReport } from '../../../src/api/batch-report.js';
import { formatLedgerLine, parseLedgerLine } from '../../../src/batch/ledger/ledger-line.js';
import { rebuildReports } from '../../../src/batch/run/rebuild-reports.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { openStateKey } from '../../../src/batch/state/state-key.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { withVariables } from '../isolation/support.js';
import { ledgerOf } from './edit-ledger.js';
import { type Answer, type Call, createScriptedProvider } from './scripted-provider.js';

const STEPS = [
  { id: 'a', prompt: 'a' },
  { id: 'b', prompt: 'b after {{steps.a.text}}' },
  { id: 'c', prompt: 'c', needs: ['b'] },
];

const answerAll = ({ prompt }: Call): Answer => ({
  text: `did ${prompt}`,
  write: { [`${prompt[0]}.txt`]: prompt },
});

function openLab(answer: (call: Call) => Answer | Promise<Answer> = answerAll) {
  const folder = makeTree({ 'work/': '' });
  const out = join(folder, 'out');
  const provider = createScriptedProvider(answer);
  const begin = (options: BatchOptions = {}) => {
    const plan = { defaults: { workingDir: join(folder, 'work') }, steps: STEPS };
    return runBatch(plan, { out, provider, baseDir: folder, concurrency: 1, ...options });
  };
  const take = (): string[] => provider.calls.splice(0).map(({ prompt }) => prompt);
  return { folder, out, begin, take, ledger: ledgerOf(out), state: join(ledgerOf(out), '..') };
}

/** Puts a line after the first line of a ledger. */
function insertLine(whole: Buffer, line: Buffer): Buffer {
  const at = whole.indexOf('\n') + 1;
  return Buffer.concat([whole.subarray(0, at), line, Buffer.from('\n'), whole.subarray(at)]);
}

/** Picks what must be the same after every damage. */
function essence({ outcome, steps, files }: BatchReport) {
  return {
    outcome,
    steps: steps.map(({ id, state, text, prompt }) => [id, state, text, prompt]),
    files: files.map(({ path, sha256After }) => [path, sha256After]),
  };
}

function codesOf({ warnings }: BatchReport): string[] {
  return warnings.map(({ code }) => code);
}

describe('the ledger of a batch', () => {
  it('lies in a private state folder, and the output folder holds no state (claim: state-out-of-reach)', async () => {
    const { begin, out, state } = openLab();
    await begin();
    expect(readdirSync(state).sort()).toEqual([
      'files-before.json',
      'folders.json',
      'key',
      'lease-1.json',
      'ledger.jsonl',
    ]);
    expect(readdirSync(join(out, '.batch')).sort()).toEqual(['id.json', 'lease-1.json']);
  });

  it('lies in `state`, and is refused there inside of a working directory (claim: state-out-of-reach)', async () => {
    const { begin, folder, take } = openLab();
    const state = join(folder, 'state');
    await begin({ state });
    expect(readdirSync(state)).toHaveLength(1);
    take();
    await begin({ state });
    expect(take()).toEqual([]);
    await expect(begin({ state: join(folder, 'work', 'state') })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringMatching(/^The state folder .* lies inside of .*work/),
      hint: expect.stringContaining('--state'),
    });
  });

  it('with another key is refused with the remedy, and no step runs (claim: state-wrong-key)', async () => {
    const { begin, take, state, out } = openLab();
    withVariables({ GEMINI_CLI_PROVIDER_STATE_KEY: 'first key of the state' });
    await begin();
    take();
    withVariables({ GEMINI_CLI_PROVIDER_STATE_KEY: 'second key of the state' });
    const refused = {
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/is signed with another key than .*STATE_KEY$/),
      hint: expect.stringMatching(/GEMINI_CLI_PROVIDER_STATE_KEY.*--fresh/),
    };
    await expect(begin()).rejects.toMatchObject(refused);
    await expect(rebuildReports(out)).rejects.toMatchObject(refused);
    delete process.env['GEMINI_CLI_PROVIDER_STATE_KEY'];
    await expect(begin()).rejects.toThrow(`another key than the key in ${join(state, 'key')}`);
    expect(take()).toEqual([]);
    expect((await begin({ fresh: true })).outcome).toBe('succeeded');
    expect(take()).toHaveLength(3);
  });

  it('that is missing beside the id of its output folder is not replaced silently', async () => {
    const { begin, take, ledger } = openLab();
    await begin();
    rmSync(ledger);
    await expect(begin()).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^The state of the batch in .*out is not in/),
    });
    expect(take()).toHaveLength(3);
    expect((await begin({ fresh: true })).outcome).toBe('succeeded');
  });

  it('of a removed output folder does not count for a new one at the same path', async () => {
    const { begin, take, out, state } = openLab();
    await begin();
    rmSync(out, { recursive: true });
    const report = await begin();
    expect(codesOf(report)).toEqual(['LEDGER_SET_ASIDE']);
    expect(take()).toHaveLength(6);
    expect(readdirSync(state).filter((name) => /^ledger-\d+/.test(name))).toHaveLength(1);
    expect(codesOf(await begin())).toEqual([]);
    expect(take()).toEqual([]);
  });

  it('is continued after a start from the beginning that was killed at any moment', async () => {
    const { begin, take, ledger, out } = openLab();
    const whole = essence(await begin());
    const marker = join(out, '.batch', 'id.json');
    // Killed after the id was removed, after the ledger was renamed, and after the new ledger got its first line.
    const kills = [
      () => {},
      () => rmSync(ledger),
      () => writeFileSync(ledger, `${readFileSync(ledger, 'utf8').split('\n')[0]}\n`),
    ];
    for (const kill of kills) {
      rmSync(marker);
      kill();
      take();
      expect(essence(await begin())).toEqual(whole);
      expect(take()).toHaveLength(3);
    }
  });

  it('of another batch with the same key is not believed', async () => {
    withVariables({ GEMINI_CLI_PROVIDER_STATE_KEY: 'a key for two batches' });
    const [one, two] = [openLab(), openLab()];
    await one.begin();
    await two.begin();
    writeFileSync(two.ledger, readFileSync(one.ledger));
    await expect(two.begin()).rejects.toThrow(/^The state of the batch/);
  });

  it('of version 0.1.0 is refused, and imported with acceptOldLedger', async () => {
    const { begin, take, out, ledger, state } = openLab();
    await begin();
    take();
    const seal = openStateKey(state);
    const entries = readFileSync(ledger, 'utf8')
      .trimEnd()
      .split('\n')
      .map((text) => {
        const line = parseLedgerLine(text, seal);
        return typeof line === 'string' ? line : JSON.stringify(line.entry);
      });
    for (const folder of [state, out]) rmSync(folder, { recursive: true });
    mkdirSync(out);
    writeFileSync(join(out, 'ledger.jsonl'), `${entries.join('\n')}\n{"type":"do`);
    const refused = { code: 'INVALID_INPUT', hint: expect.stringContaining('--accept-old-ledger') };
    await expect(begin()).rejects.toMatchObject(refused);
    await expect(rebuildReports(out)).rejects.toMatchObject(refused);
    // An earlier import was killed.
    mkdirSync(state, { recursive: true, mode: 0o700 });
    const entry = { type: 'end' as const, at: '' };
    const half = { batch: 'x', token: 1, seq: 1, entry };
    writeFileSync(ledger, formatLedgerLine(half, openStateKey(state)));
    await expect(begin()).rejects.toMatchObject(refused);
    const report = await begin({ acceptOldLedger: true });
    expect(take()).toEqual([]);
    expect(report.steps.every(({ reused }) => reused)).toBe(true);
    expect(codesOf(report)).toEqual(['DAMAGED_LEDGER']);
    expect(existsSync(join(out, 'ledger.jsonl'))).toBe(false);
    await begin();
    expect(take()).toEqual([]);
  });

  it('with a flipped bit gives the same result as without, and says so (claim: ledger-damage)', async () => {
    const { begin, take, ledger, out } = openLab();
    const whole = essence(await begin());
    take();
    const before = readFileSync(ledger);
    const lengths = before
      .toString()
      .split('\n')
      .map(({ length }) => length);
    let reruns = 0;
    for (let round = 0; round < 120; round++) {
      const at = Math.floor(Math.random() * before.length);
      const flipped = Buffer.from(before);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
      writeFileSync(ledger, flipped);
      const rebuilt = await rebuildReports(out).catch((error: unknown) => error);
      if (rebuilt instanceof Error) expect(rebuilt).toMatchObject({ code: 'INVALID_INPUT' });
      const report = await begin();
      const where = { at, bit: (flipped[at] ?? 0) ^ (before[at] ?? 0), lengths };
      expect({ ...where, ...essence(report) }).toEqual({ ...where, ...whole });
      const ran = take().length;
      reruns += ran;
      if (ran > 0)
        expect([where, codesOf(report)[0]]).toEqual([
          where,
          expect.stringMatching(/^(DAMAGED|TORN)_LEDGER$/),
        ]);
    }
    expect(reruns).toBeGreaterThan(0);
  });

  it('that is cut off at any byte gives the same result', async () => {
    const { begin, take, ledger } = openLab();
    const whole = essence(await begin());
    take();
    const before = readFileSync(ledger);
    for (let bytes = 1; bytes < before.length; bytes += 97) {
      writeFileSync(ledger, before);
      truncateSync(ledger, bytes);
      const report = await begin();
      expect([bytes, essence(report)]).toEqual([bytes, whole]);
      expect(codesOf(report)).not.toContain('DAMAGED_LEDGER');
    }
  });

  it.each<[string, (whole: Buffer) => Buffer, boolean]>([
    ['zeros at its end', (whole) => Buffer.concat([whole, Buffer.alloc(4096)]), true],
    ['a byte order mark', (whole) => Buffer.concat([Buffer.from('\ufeff'), whole]), true],
    ['line ends of Windows', (whole) => Buffer.from(`${whole}`.replaceAll('\n', '\r\n')), true],
    ['all lines twice', (whole) => Buffer.concat([whole, whole]), true],
    [
      'bytes that are no UTF-8',
      (whole) => insertLine(whole, Buffer.from([0xff, 0xc0, 0x80])),
      true,
    ],
    ['a prototype', (whole) => insertLine(whole, Buffer.from('{"__proto__":{"harm":1}}')), true],
    ['another character set', (whole) => Buffer.from(`${whole}`, 'utf16le'), false],
  ])('with %s gives the same result, and no TypeError', async (_what, damage, isReused) => {
    const { begin, take, ledger } = openLab();
    const whole = essence(await begin());
    take();
    writeFileSync(ledger, damage(readFileSync(ledger)));
    expect(essence(await begin())).toEqual(whole);
    expect(take()).toHaveLength(isReused ? 0 : 3);
    await begin();
    expect(take()).toEqual([]);
    expect(Reflect.get({}, 'harm')).toBeUndefined();
  });

  it('whose every line is damaged is reported, and all steps run again', async () => {
    const { begin, take, ledger } = openLab();
    const whole = essence(await begin());
    const text = readFileSync(ledger, 'utf8');
    writeFileSync(ledger, text.replaceAll('"content"', '"contemt"'));
    take();
    const report = await begin();
    expect(essence(report)).toEqual(whole);
    expect(codesOf(report)).toEqual(['DAMAGED_LEDGER']);
    expect(take()).toHaveLength(3);
    await begin();
    expect(take()).toEqual([]);
  });

  it('warns of a damaged baseline', async () => {
    const { begin, state } = openLab();
    await begin();
    appendFileSync(join(state, 'files-before.json'), 'x');
    expect(codesOf(await begin())).toEqual(['DAMAGED_LEDGER']);
    expect(codesOf(await begin())).toEqual([]);
  });
});

describe('a second batch on one ledger', () => {
  it('is refused: of eight in one process, one runs (claim: one-batch-per-ledger)', async () => {
    const { begin, take } = openLab();
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => begin()));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of all) {
      if (end.status === 'rejected') expect(end.reason.message).toMatch(/^Another batch uses/);
    }
    expect(take()).toHaveLength(3);
  });

  it('does not disturb sixteen batches on ledgers of their own', async () => {
    const labs = Array.from({ length: 16 }, () => openLab());
    const reports = await Promise.all(labs.map(({ begin }) => begin()));
    expect(reports.map(({ outcome }) => outcome)).toEqual(labs.map(() => 'succeeded'));
  });

  it('that has taken over stops the first one, which writes nothing more (claim: fencing)', async () => {
    let letGo = (): void => {};
    const { begin, ledger, state, take, out } = openLab(async (call) => {
      if (call.prompt === 'a') await new Promise<void>((resolve) => (letGo = resolve));
      return answerAll(call);
    });
    const run = begin();
    const events: BatchEvent['type'][] = [];
    const ending = (async () => {
      for await (const event of run) {
        events.push(event.type);
        if (event.type !== 'step-progress') continue;
        // The files of another owner, as a batch on another machine leaves them.
        writeFileSync(join(state, 'lease-2.json'), '');
        setTimeout(letGo, 10);
      }
    })();
    await expect(ending).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^Another batch has taken over .*ledger\.jsonl/),
    });
    expect(events).not.toContain('step-finished');
    expect(take()).toEqual(['a']);
    expect(readFileSync(ledger, 'utf8')).not.toContain('"type":"done"');
    expect(existsSync(join(out, 'report.json'))).toBe(false);
    expect((await begin({ provider: createScriptedProvider(answerAll) })).outcome).toBe(
      'succeeded',
    );
  });
});
