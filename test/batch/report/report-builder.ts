import type { BatchReport } from '../../../src/api/batch-report.js';
import type { ManifestFile } from '../../../src/api/manifest.js';
import type { Usage } from '../../../src/api/result.js';
import type { AttemptReport, StepReport } from '../../../src/api/step-report.js';
import { countStates } from '../../../src/batch/ledger/count-states.js';

const BEGIN_MS = Date.UTC(2025, 2, 3, 9, 0, 0);

/** Returns the instant `seconds` after the start of the batch. */
export function at(seconds: number): string {
  return new Date(BEGIN_MS + seconds * 1000).toISOString();
}

export function usageOf(models: Readonly<Record<string, number>>): Usage {
  const counts = Object.entries(models).map(([model, total]) => {
    const input = Math.round(total * 0.8);
    const output = Math.round(total * 0.15);
    const cached = Math.round(total * 0.3);
    const thoughts = total - input - output;
    return [model, { total, input, output, cached, thoughts, tool: 0 }] as const;
  });
  const sum = (key: 'total' | 'input' | 'output' | 'cached' | 'thoughts'): number =>
    counts.reduce((whole, [, each]) => whole + each[key], 0);
  return {
    total: sum('total'),
    input: sum('input'),
    output: sum('output'),
    cached: sum('cached'),
    thoughts: sum('thoughts'),
    tool: 0,
    models: Object.fromEntries(counts),
    toolCalls: counts.length * 3,
  };
}

/** Creates an attempt. `from` and `until` are seconds after the start of the batch. */
export function anAttempt(
  from: number,
  until: number | undefined,
  more: Partial<AttemptReport> = {},
): AttemptReport {
  return {
    number: 1,
    lane: 0,
    startedAt: at(from),
    endedAt: until === undefined ? undefined : at(until),
    outcome: until === undefined ? 'interrupted' : 'succeeded',
    repairs: 0,
    ...more,
  };
}

export function aStep(id: string, more: Partial<StepReport> = {}): StepReport {
  return {
    id,
    planId: id.replace(/\[.*$/s, ''),
    needs: [],
    folder: '',
    state: 'succeeded',
    reused: false,
    isolation: 'shared',
    attempts: [],
    durationMs: 0,
    waitMs: 0,
    files: [],
    deniedTools: [],
    warnings: [],
    ...more,
  };
}

export function aFile(path: string, more: Partial<ManifestFile> = {}): ManifestFile {
  return {
    path,
    absolutePath: `/app/${path}`,
    kind: 'modified',
    tools: ['write_file'],
    toolIds: ['call-1'],
    bytes: 120,
    confirmed: true,
    outsideWorkspace: false,
    ...more,
  };
}

/** Creates a report. Counts and usage are those of the steps. */
export function aReport(
  steps: readonly StepReport[],
  more: Partial<BatchReport> = {},
): BatchReport {
  const counts = countStates(steps);
  const models: Record<string, number> = {};
  for (const step of steps) {
    for (const [model, { total }] of Object.entries(step.usage?.models ?? {})) {
      models[model] = (models[model] ?? 0) + total;
    }
  }
  return {
    name: 'a batch',
    planHash: '4f1c2d9a8b7e6f50',
    outcome: counts.succeeded === steps.length ? 'succeeded' : 'failed',
    startedAt: at(0),
    endedAt: at(600),
    runs: [{ startedAt: at(0), endedAt: at(600) }],
    durationMs: 600_000,
    counts,
    usage: usageOf(models),
    steps,
    files: [],
    warnings: [],
    ...more,
  };
}
