import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CostEstimate } from '../../../src/api/cost.js';
import type { SessionInfo } from '../../../src/api/session-list.js';
import { PastCounts } from '../../../src/remote/session/past-counts.js';

const RECORDING = new URL(
  '../../fixtures/interactive/sessions/tui-cancelled-turns.jsonl',
  import.meta.url,
);

/** Copies a recording, as a session that the list has not counted. */
function createInfo(id = 'one'): SessionInfo {
  const file = join(mkdtempSync(join(tmpdir(), 'counts-')), 'session.jsonl');
  copyFileSync(RECORDING, file);
  const { size: bytes } = statSync(file);
  return { id, file, projectName: 'app', kind: 'main', updatedAt: '2026-01-01', bytes };
}

const COUNTS = { input: 1, output: 2, cached: 0, thoughts: 0, tool: 0, total: 3 };

describe('PastCounts', () => {
  it('tells what the list has counted, and nothing about a session that was not counted', () => {
    const counts = new PastCounts();
    expect(counts.find(createInfo())).toEqual({});
    const cost: CostEstimate = {
      ...{ usd: 0.5, byModel: {}, unknownModels: [], tableDate: '', isLowerBound: false },
    };
    const counted = { ...createInfo(), tokens: COUNTS, cost };
    expect(counts.find(counted)).toEqual({ tokens: 3, costUsd: 0.5 });
    const unknown = { ...counted, cost: { ...cost, unknownModels: ['other'] } };
    expect(counts.find(unknown)).toEqual({ tokens: 3, costUsd: undefined });
  });

  it('counts each session once, and again when its file has changed', async () => {
    const counts = new PastCounts();
    const info = createInfo();
    const reported: string[] = [];
    const count = (...infos: readonly SessionInfo[]) =>
      counts.count(infos, ({ id }) => reported.push(id));
    await count(info, { ...createInfo('listed'), tokens: COUNTS });
    expect(counts.find(info).tokens).toBeGreaterThan(0);
    await count(info);
    const grown = { ...info, bytes: info.bytes + 1 };
    expect(counts.find(grown)).toEqual({});
    await count(grown);
    expect([reported, counts.find(grown)]).toEqual([['one', 'one'], counts.find(info)]);
  });

  it('counts for one caller at a time, also after a listener has failed', async () => {
    const counts = new PastCounts();
    const [first, second] = [createInfo('a'), createInfo('b')];
    const reported: string[] = [];
    const report = ({ id }: SessionInfo): void => void reported.push(id);
    await Promise.all([counts.count([first], report), counts.count([second], report)]);
    expect(reported).toEqual(['a']);
    const fail = (): never => {
      throw new Error('listener');
    };
    await expect(counts.count([second], fail)).rejects.toThrow('listener');
    await counts.count([createInfo('c')], report);
    expect(reported).toEqual(['a', 'c']);
  });

  it('knows nothing about a file that was removed, and does not ask for it again', async () => {
    const counts = new PastCounts();
    const info = createInfo();
    rmSync(info.file);
    const reported: string[] = [];
    for (let times = 0; times < 2; times++)
      await counts.count([info], ({ id }) => reported.push(id));
    expect([reported, counts.find(info)]).toEqual([['one'], {}]);
  });

  it('forgets the oldest of more than 1000 sessions', async () => {
    const counts = new PastCounts();
    const gone = { ...createInfo(), file: '/missing/session.jsonl' };
    const infos = Array.from({ length: 1_001 }, (_, index) => ({ ...gone, bytes: index }));
    let counted = 0;
    const count = () => counts.count(infos.slice(0, 2), () => counted++);
    await counts.count(infos, () => counted++);
    await count();
    expect(counted).toBe(1_003);
  });
});
