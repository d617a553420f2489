import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { firstVersionWith, OLDEST_CLI, TESTED_CLI } from '../../src/agents/gemini/cli-features.js';
import { ERROR_CODES } from '../../src/base/errors/codes.js';
import { batchExitCode, EXIT_CODES } from '../../src/cli/exit-status.js';
import { findGeminiOptions } from '../../src/config/agent-config.js';
import { CONFIG_KEYS } from '../../src/config/schema.js';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Returns the text of one section of a page, up to the next heading of the same or a higher level. */
function sectionOf(page: string, heading: string): string {
  const level = /^#+/.exec(heading)?.[0].length ?? 1;
  const [, after] = page.split(`\n${heading}\n`);
  if (after === undefined) throw new Error(`The page has no section ${heading}`);
  return after.split(new RegExp(`^#{1,${level}} `, 'm'))[0] ?? '';
}

/** Returns the rows of the table whose first header cell has this text, as cells without the outer bars. */
function rowsOf(text: string, firstHeader: string): string[][] {
  const lines = text.split('\n');
  const header = lines.findIndex((line) => line.startsWith(`| ${firstHeader} |`));
  if (header < 0) throw new Error(`The text has no table that begins with ${firstHeader}`);
  const rows = lines.slice(header + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const codeSpansIn = (cell = ''): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, it]) => `${it}`);

/** Returns the string literals of a union type in the source. */
function literalsOf(file: string, type: string): string[] {
  const union = new RegExp(`export type ${type} =([^;]+);`).exec(read(file))?.[1] ?? '';
  return [...union.matchAll(/'(\w+)'/g)].map(([, literal]) => `${literal}`);
}

/** Returns the values of the field `type` of all members of a union, in the order of the union. */
function eventsIn(union: string, ...files: readonly string[]): string[] {
  const text = files.map(read).join('\n');
  const members = new RegExp(`export type ${union} =([^;]+);`).exec(text)?.[1] ?? '';
  return [...members.matchAll(/\w+/g)].map(([name]) => {
    const event = new RegExp(`interface ${name} [^}]*?^ {2}readonly type: '([\\w-]+)';`, 'm');
    return `${event.exec(text)?.[1]}`;
  });
}

/** Returns the keys of an interface in the source. */
function keysOf(file: string, name: string): string[] {
  const body = new RegExp(`export interface ${name} [^{]*\\{([\\s\\S]*?)^\\}`, 'm').exec(
    read(file),
  );
  return [...(body?.[1] ?? '').matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, key]) => `${key}`);
}

/** Returns the names of the values that an entry exports. An entry has export lists only. */
function valuesOf(file: string): string[] {
  const text = existsSync(new URL(file, root)) ? read(file) : '';
  const lists = [...text.matchAll(/^export \{([^}]+)\}/gm)].map(([, list]) => `${list}`);
  return lists
    .flatMap((list) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
}

describe('the public surface', () => {
  const rows = rowsOf(read('src/README.md'), 'entry');
  const entries = {
    'gemini-cli-provider': 'src/index.ts',
    'gemini-cli-provider/batch': 'src/batch/index.ts',
    'gemini-cli-provider/queue': 'src/queue/index.ts',
    'gemini-cli-provider/remote': 'src/remote/index.ts',
    'gemini-cli-provider/sessions': 'src/sessions/index.ts',
    'gemini-cli-provider/testing': 'src/testing/index.ts',
    'gemini-cli-provider/conformance': 'src/testing/conformance/index.ts',
    'gemini-cli-provider/ai-sdk': 'src/engines/ai-sdk/index.ts',
    'gemini-cli-provider/otel': 'src/otel.ts',
  };

  it('has the entries of package.json and no others', () => {
    const { exports }: { exports: Record<string, unknown> } = JSON.parse(read('package.json'));
    const names = Object.keys(exports).filter(
      (name) => !/^\.\/(package\.json|schemas\/)/.test(name),
    );
    expect(names.map((name) => name.replace(/^\./, 'gemini-cli-provider'))).toEqual(
      Object.keys(entries),
    );
    expect(rows.map(([entry]) => codeSpansIn(entry)[0])).toEqual(Object.keys(entries));
  });

  it.each(Object.entries(entries))(
    '%s exports the documented names and no others',
    (entry, file) => {
      const documented = rows.find(([name]) => codeSpansIn(name)[0] === entry);
      expect(valuesOf(file).sort()).toEqual(codeSpansIn(documented?.[2]).sort());
    },
  );
});

describe('README.md', () => {
  const readme = read('README.md');

  it('has at most 200 lines and 14 kB', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(200);
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(14_000);
  });

  it('says of every error code whether a retry helps', () => {
    const rows = rowsOf(sectionOf(readme, '## Errors'), 'code');
    const documented = rows.flatMap(([codes, , retry]) =>
      codeSpansIn(codes).map((code) => [code, retry === 'yes'] as const),
    );
    const actual = Object.entries(ERROR_CODES).map(
      ([code, { retryable }]) => [code, retryable] as const,
    );
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(actual));
    expect(documented).toHaveLength(actual.length);
  });

  it('links the manual of every wing', () => {
    const wings = readdirSync(new URL('src/', root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(wings.length).toBeGreaterThan(8);
    for (const wing of wings) expect(readme).toContain(`](src/${wing}/README.md)`);
  });
});

describe('the manual of a step', () => {
  const page = read('src/step/README.md');

  it('has every error code, in the order of the source', () => {
    const rows = rowsOf(sectionOf(page, '## Errors'), 'code');
    expect(rows.map(([code, , retry]) => [codeSpansIn(code)[0], retry])).toEqual(
      Object.entries(ERROR_CODES).map(([code, { retryable }]) => [code, retryable ? 'yes' : 'no']),
    );
  });

  it('has every warning, in the order of the source', () => {
    const codes = literalsOf('src/api/result.ts', 'WarningCode');
    expect(codes.length).toBeGreaterThan(10);
    const rows = rowsOf(sectionOf(page, '## Warnings'), 'code');
    expect(rows.map(([code]) => codeSpansIn(code)[0])).toEqual(codes);
  });

  it('has every event, in the order of the source', () => {
    const events = eventsIn(
      'AgentEvent',
      'src/api/agent-event.ts',
      'src/api/content-event.ts',
      'src/api/tool-event.ts',
      'src/api/progress-event.ts',
    );
    expect(events.length).toBeGreaterThan(10);
    const rows = rowsOf(sectionOf(page, '## Streaming'), 'event');
    expect(rows.map(([event]) => codeSpansIn(event)[0])).toEqual(events);
  });

  it('has every expectation', () => {
    const rows = rowsOf(sectionOf(page, '## Expectations'), 'key');
    expect(rows.map(([key]) => codeSpansIn(key)[0])).toEqual(
      keysOf('src/api/expectations.ts', 'Expectations'),
    );
  });

  it('names every field of an error', () => {
    const section = sectionOf(page, '## Errors');
    const fields = keysOf('src/api/error.ts', 'ProviderErrorData').filter((key) => key !== 'name');
    expect(fields.length).toBeGreaterThan(10);
    for (const field of fields) expect(section).toContain(`\`${field}\``);
  });

  it('names every field of a file in the manifest', () => {
    const section = sectionOf(page, '## The manifest');
    const fields = keysOf('src/api/manifest.ts', 'ManifestFile');
    expect(fields.length).toBeGreaterThan(10);
    for (const field of fields) expect(section).toContain(`\`${field}\``);
  });
});

describe('the manual of the configuration', () => {
  it('has every key and no others', () => {
    const rows = rowsOf(sectionOf(read('src/config/README.md'), '## Keys'), 'key');
    expect(rows.map(([key]) => codeSpansIn(key)[0]).sort()).toEqual([...CONFIG_KEYS].sort());
  });
});

describe('the manual of agents', () => {
  const page = read('src/agents/README.md');

  it('has every option of a pool', () => {
    const rows = rowsOf(sectionOf(page, '## Warm steps'), 'option of `pool`');
    expect(rows.map(([key]) => codeSpansIn(key)[0])).toEqual(
      keysOf('src/api/warm-pool.ts', 'PoolOptions'),
    );
  });

  it('has the first version of the CLI with each feature', () => {
    const section = sectionOf(page, '## Supported CLI versions');
    const versions = rowsOf(section, 'feature').map(([, since]) => since);
    const features = ['streamJson', 'resume', 'planMode', 'policy', 'sessionId'] as const;
    expect(versions).toEqual(features.map((feature) => firstVersionWith(feature)));
    for (const text of [section, read('README.md')]) {
      expect(text).toContain(TESTED_CLI);
      expect(text).toContain(OLDEST_CLI);
    }
  });

  it('names the options that other agents do not have', () => {
    const section = sectionOf(page, '## Other ACP agents');
    const list = /without the ones that only the Gemini CLI has:([^.]+)\./.exec(section)?.[1];
    const refused = CONFIG_KEYS.filter((key) => findGeminiOptions({ [key]: 'x' }).length > 0);
    expect(codeSpansIn(list).sort()).toEqual([...refused].sort());
  });
});

describe('the manual of batches', () => {
  const page = read('src/batch/README.md');

  it('has every option of runBatch', () => {
    const rows = rowsOf(sectionOf(page, '## Running'), 'option of `runBatch`');
    const own = keysOf('src/api/batch-options.ts', 'BatchOptions');
    const limits = keysOf('src/api/batch-limits.ts', 'BatchLimits');
    const selection = keysOf('src/api/batch-options.ts', 'StepSelection');
    const finish = keysOf('src/api/finish-settings.ts', 'FinishSettings');
    expect(own.length).toBeGreaterThan(4);
    const keys = [...own, ...limits, ...selection, ...finish];
    expect(rows.flatMap(([key]) => codeSpansIn(key))).toEqual(keys);
  });

  it('has every limit', () => {
    const rows = rowsOf(sectionOf(page, '## Limits'), 'limit');
    expect(rows.map(([key]) => codeSpansIn(key)[0]).sort()).toEqual(
      keysOf('src/api/batch-limits.ts', 'BatchLimits').sort(),
    );
  });

  it('has every key of a step', () => {
    const rows = rowsOf(sectionOf(page, '## The plan'), 'key of a step');
    const keys = ['PlanStep', 'StepSettings'].flatMap((name) =>
      keysOf('src/api/batch-plan.ts', name),
    );
    expect(rows.flatMap(([key]) => codeSpansIn(key)).sort()).toEqual(keys.sort());
  });

  it('has every event, in the order of the source', () => {
    const rows = rowsOf(sectionOf(page, '## Running'), 'event');
    expect(rows.map(([event]) => codeSpansIn(event)[0])).toEqual(
      eventsIn('BatchEvent', 'src/api/batch-event.ts'),
    );
  });

  it('has every warning', () => {
    const body = read('src/api/batch-report.ts').split('export interface BatchWarning {')[1];
    const union = /readonly code:([^;]+);/.exec(body ?? '')?.[1] ?? '';
    const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => `${code}`);
    const rows = rowsOf(sectionOf(page, '## Output folder'), 'warning of a batch');
    expect(rows.map(([code]) => codeSpansIn(code)[0])).toEqual(codes);
  });
});

describe('the manual of sessions', () => {
  it('has every function', () => {
    const rows = rowsOf(sectionOf(read('src/sessions/README.md'), '## Functions'), 'function');
    const documented = rows.map(([call]) => /^`(\w+)/.exec(call ?? '')?.[1]);
    const entry = rowsOf(read('src/README.md'), 'entry').find(([name]) =>
      name?.includes('/sessions'),
    );
    expect(documented.sort()).toEqual(codeSpansIn(entry?.[2]).sort());
  });
});

describe('the manual of the command line', () => {
  const section = sectionOf(read('src/cli/README.md'), '## Exit codes');

  it('has the exit code of every error code', () => {
    const rows = rowsOf(section, 'exit code of `run`');
    const documented = rows.flatMap(([exit, codes]) =>
      codeSpansIn(codes)
        .filter((code) => code in ERROR_CODES)
        .map((code) => [code, Number(exit)] as const),
    );
    expect(Object.fromEntries(documented)).toEqual(EXIT_CODES);
  });

  it('has the exit codes of a batch', () => {
    const rows = rowsOf(section, 'exit code of `batch`').map(([exit]) => Number(exit));
    const outcomes = (['succeeded', 'failed', 'stopped'] as const).map((outcome) =>
      exitCodeOf({ outcome }),
    );
    const stops = (['AUTH', 'QUOTA_EXHAUSTED'] as const).map((reason) =>
      exitCodeOf({ outcome: 'stopped', stop: { reason, message: '' } }),
    );
    for (const code of [...outcomes, ...stops, EXIT_CODES.INVALID_CONFIG, EXIT_CODES.CANCELLED]) {
      expect(rows).toContain(code);
    }
  });
});

function exitCodeOf(end: Pick<Parameters<typeof batchExitCode>[0], 'outcome' | 'stop'>): number {
  return batchExitCode({
    ...end,
    name: '',
    planHash: '',
    startedAt: '',
    endedAt: '',
    runs: [],
    durationMs: 0,
    counts: {
      succeeded: 0,
      failed: 0,
      skipped: 0,
      cancelled: 0,
      pending: 0,
      running: 0,
      merging: 0,
    },
    usage: {
      total: 0,
      input: 0,
      output: 0,
      cached: 0,
      thoughts: 0,
      tool: 0,
      models: {},
      toolCalls: 0,
    },
    steps: [],
    files: [],
    warnings: [],
  });
}
