import type { BatchFile, BatchReport } from '../src/api/batch-report.js';
import type { ProviderErrorData } from '../src/api/error.js';
import type { ManifestFile } from '../src/api/manifest.js';
import type { StepReport } from '../src/api/step-report.js';
import { createDiff } from '../src/base/fs/diff.js';
import type { Transcript } from '../src/batch/report/transcript/transcript.js';
import {
  aFile,
  anAttempt,
  aReport,
  aStep,
  at,
  usageOf,
} from '../test/batch/report/report-builder.js';

const FLASH = 'gemini-2.5-flash';
const PRO = 'gemini-2.5-pro';

const CONVERTER = `import { readFile } from 'node:fs/promises';

/**
 * Reads an order from a file.
 * Amounts are in cents.
 */
export async function readOrder(path) {
  const text = await readFile(path, 'utf8');
  return JSON.parse(text);
}
`;

const CONVERTED = `import { readFile } from 'node:fs/promises';
import { orderSchema, type Order } from './order-schema.js';

/**
 * Reads an order from a file and checks it.
 * Amounts are in cents: 12.50 is 1250.
 */
export async function readOrder(path: string): Promise<Order> {
  const text = await readFile(path, 'utf8');
  // The schema knows which fields there are.
  return orderSchema.parse(JSON.parse(text));
}
`;

const TESTED = `${CONVERTED}
export function totalOf({ lines }: Order): number {
  return lines.reduce((sum, { amount, count }) => sum + amount * count, 0);
}
`;

/** Texts that would run a script if the page used them as markup. */
export const HOSTILE = {
  markup:
    '</script><script>globalThis.harm = 1</script><img src=x onerror="globalThis.harm = 2"><!--',
  quotes: `"'\`\${globalThis.harm = 3}`,
  separators: 'one\u2028two\u2029three',
  rightToLeft: 'evil\u202Egnp.exe\u2066',
  stepId: 'hostile[</script><script>globalThis.harm = 4</script>]',
  path: `src/<img src=x onerror="globalThis.harm = 5">/"it's"\n\u202Egpj.ts`,
};

const HARM = 'globalThis.harm = 1';

/** Payloads of many kinds: elements, attributes, comments, encodings, URLs, templates, styles, other documents. */
export const PAYLOADS: readonly string[] = [
  `<script>${HARM}</script>`,
  `</script><script>${HARM}</script>`,
  `<!--<script>${HARM}</script>-->`,
  `--><img src=x onerror="${HARM}">`,
  `<img src=x onerror=${HARM.replaceAll(' ', '')}>`,
  `<svg onload="${HARM}"></svg>`,
  `<svg><script>${HARM}</script></svg>`,
  `<math><mtext></mtext><script>${HARM}</script></math>`,
  `<iframe srcdoc="<script>parent.${HARM}</script>"></iframe>`,
  `<object data="javascript:${HARM}"></object>`,
  `<a href="javascript:${HARM}" autofocus onfocus="${HARM}">x</a>`,
  `javascript:${HARM}`,
  `data:text/html,<script>${HARM}</script>`,
  `" onmouseover="${HARM}" autofocus onfocus="${HARM}" x="`,
  `' onmouseover='${HARM}' x='`,
  `</title></style></textarea><script>${HARM}</script>`,
  `<style>@import 'https://example.invalid/x.css';</style>`,
  `<base href="https://example.invalid/"><link rel=stylesheet href=x.css>`,
  `<meta http-equiv=refresh content="0;url=https://example.invalid/">`,
  `&lt;script&gt;${HARM}&lt;/script&gt;&#60;script&#62;`,
  `\u003cscript\u003e\x3cscript\x3e${HARM}`,
  `\u202e\u0000\u001b]0;title\u0007{{constructor.constructor('${HARM}')()}}`,
];

/** Creates a report with each payload in every text: ids of a matrix, prompts, answers, errors, paths and diffs. */
export function createHostileReport(): BatchReport {
  const steps = PAYLOADS.map((payload, index) => {
    return aStep(`matrix[${payload}]`, {
      planId: payload,
      state: 'failed',
      prompt: payload,
      text: payload,
      model: payload,
      sessionId: payload,
      needs: [payload],
      data: { [payload]: payload },
      attempts: [anAttempt(index, index + 1, { outcome: 'UNKNOWN', message: payload })],
      usage: usageOf({ [payload]: 900 }),
      warnings: [{ code: 'CLI_WARNING', message: payload }],
      deniedTools: [
        { tool: payload, toolId: payload, reason: 'policy', message: payload, hint: payload },
      ],
      error: anError({ message: payload, hint: payload, stderrTail: payload }),
      files: [{ ...changed(payloadPath(index), payload, `${payload}\n`), sensitive: payload }],
    });
  });
  const warnings = PAYLOADS.map((message) => {
    return { code: 'SAME_FILE' as const, message, steps: [message] };
  });
  const name = PAYLOADS.join('');
  const stop = { reason: 'AUTH', message: name, stepId: PAYLOADS[0] } as const;
  return aReport(steps, { name, planHash: name, files: collectFiles(steps), warnings, stop });
}

export function payloadPath(index: number): string {
  return `src/${index}/${PAYLOADS[index]}.ts`;
}

/** Reason why package.json is sensitive. */
export const SENSITIVE = 'The scripts of `package.json` run with the next npm command.';

function changed(path: string, before: string | null, after: string | null): ManifestFile {
  return aFile(path, {
    kind: before === null ? 'created' : after === null ? 'deleted' : 'modified',
    bytes: after?.length ?? 0,
    sha256Before: before === null ? undefined : 'b1946ac92492d2347c6235b4d2611184'.repeat(2),
    sha256After: after === null ? undefined : '591785b794601e212b260e25925636fd'.repeat(2),
    diff: createDiff(path, before, after),
  });
}

function anError(more: Partial<ProviderErrorData>): ProviderErrorData {
  return {
    name: 'ProviderError',
    code: 'UNKNOWN',
    message: 'It failed.',
    hint: 'Try again.',
    retryable: false,
    ...more,
  };
}

/** Creates a report with every state, every kind of attempt, two resumes and hostile texts. */
export function createSmallReport(): BatchReport {
  const steps = [...foundationSteps(), ...conversionSteps(), ...failingSteps(), hostileStep()];
  return aReport(steps, {
    name: 'Convert the order service to TypeScript',
    outcome: 'stopped',
    stop: {
      reason: 'QUOTA_EXHAUSTED',
      message:
        'The quota of gemini-2.5-pro is used up until 09:00 UTC. Then run `gemini-cli-provider batch plan.yaml --resume`.',
      stepId: 'review',
    },
    endedAt: at(16_851),
    runs: [
      { startedAt: at(0), endedAt: at(202) },
      { startedAt: at(7_200), endedAt: at(7_262) },
      { startedAt: at(16_785), endedAt: at(16_851) },
    ],
    durationMs: 330_000,
    files: collectFiles(steps),
    warnings: [
      {
        code: 'SAME_FILE',
        message: 'Two steps wrote src/order.ts while both were running.',
        steps: ['convert[src/order.ts]', 'test[src/order.ts]'],
      },
      { code: 'LEFTOVERS_REMOVED', message: 'A worktree of a dead run was removed.', steps: [] },
    ],
  });
}

function foundationSteps(): readonly StepReport[] {
  return [
    aStep('schema', {
      prompt: 'Write src/order-schema.ts: a zod schema for the JSON files in data/orders.',
      text: 'I wrote the schema with five fields.\n\nAmounts are integers, because they are in cents.',
      data: { fields: ['id', 'customer', 'lines', 'total', 'paid'], strict: true, version: 2 },
      attempts: [
        anAttempt(1, 62, { repairs: 2, usage: usageOf({ [PRO]: 48_200 }), sessionId: 'a7c1' }),
      ],
      durationMs: 61_000,
      usage: usageOf({ [PRO]: 48_200 }),
      model: PRO,
      sessionId: 'a7c1',
      reused: true,
      files: [
        changed(
          'src/order-schema.ts',
          null,
          "import { z } from 'zod';\n\nexport const orderSchema = z.object({});\nexport type Order = z.infer<typeof orderSchema>;\n",
        ),
        {
          ...changed(
            'package.json',
            '{\n  "name": "orders"\n}\n',
            '{\n  "name": "orders",\n  "dependencies": { "zod": "^4.0.0" }\n}\n',
          ),
          sensitive: SENSITIVE,
        },
      ],
    }),
    aStep('tsconfig', {
      prompt: 'Add a strict tsconfig.json.',
      text: 'Done.',
      attempts: [anAttempt(2, 24, { lane: 1, usage: usageOf({ [FLASH]: 9_100 }) })],
      durationMs: 22_000,
      usage: usageOf({ [FLASH]: 9_100 }),
      reused: true,
      files: [changed('tsconfig.json', null, '{ "compilerOptions": { "strict": true } }\n')],
      warnings: [{ code: 'CLI_RETRIED', message: 'The CLI tried a request again.', count: 3 }],
    }),
    aStep('lint-rules', {
      prompt: 'Set up the linter.',
      text: 'The linter is set up, but I could not run it.',
      attempts: [
        anAttempt(3, 15, {
          lane: 2,
          outcome: 'RATE_LIMITED',
          message: 'Too many requests: wait 20 s.',
          generationId: 'lint-generation-1',
        }),
        anAttempt(36, 58, {
          lane: 2,
          number: 2,
          usage: usageOf({ [FLASH]: 12_400 }),
          generationId: 'lint-generation-2',
        }),
      ],
      durationMs: 34_000,
      usage: usageOf({ [FLASH]: 12_400 }),
      isolation: 'worktree',
      files: [changed('.lint.json', null, '{ "rules": {} }\n')],
      deniedTools: [
        {
          tool: 'run_shell_command',
          toolId: 'call-7',
          reason: 'policy',
          message: 'Tool execution denied by policy.',
          hint: 'Add "run_shell_command(npm run lint)" to `allowedTools`.',
        },
      ],
    }),
  ];
}

function conversionSteps(): readonly StepReport[] {
  const attemptsOf: Readonly<Record<string, StepReport['attempts']>> = {
    order: [anAttempt(66, 96)],
    customer: [anAttempt(66, 102, { lane: 1 })],
    invoice: [anAttempt(64, 108, { lane: 2, repairs: 1 })],
    shipping: [anAttempt(98, 146)],
    // The batch died during this attempt and was resumed two hours later.
    stock: [
      anAttempt(150, undefined, { lane: 2 }),
      anAttempt(7_200, 7_241, { number: 2, repairs: 1 }),
    ],
    price: [anAttempt(7_202, 7_262, { lane: 1 })],
  };
  return Object.entries(attemptsOf).map(([name, attempts], index) => {
    const path = `src/${name}.ts`;
    return aStep(`convert[${path}]`, {
      needs: ['schema', 'tsconfig'],
      prompt: `Convert src/${name}.js to TypeScript.\nKeep the comments. Do not change what it does.\n`,
      text: `I converted ${name} and added types for its parameters.`,
      attempts,
      durationMs: 30_000 + index * 6_000,
      usage: usageOf({ [FLASH]: 21_000 + index * 4_700, [PRO]: index * 2_900 }),
      files: [changed(path, CONVERTER, CONVERTED), changed(`src/${name}.js`, CONVERTER, null)],
    });
  });
}

function failingSteps(): readonly StepReport[] {
  return [
    aStep('test[src/order.ts]', {
      state: 'failed',
      needs: ['convert[src/order.ts]'],
      prompt: 'Write tests for src/order.ts and make them pass.',
      attempts: [
        anAttempt(110, 131, { lane: 1, outcome: 'API_UNAVAILABLE', message: 'HTTP 503' }),
        anAttempt(141, 202, {
          lane: 1,
          number: 2,
          outcome: 'EXPECTATION_FAILED',
          message: 'npm test ended with exit code 1.',
          repairs: 3,
        }),
      ],
      durationMs: 82_000,
      usage: usageOf({ [PRO]: 88_000 }),
      error: anError({
        code: 'EXPECTATION_FAILED',
        message: 'npm test ended with exit code 1.',
        hint: 'Look at the end of its output, correct the prompt or raise `repair`.',
        exitCode: 1,
        stderrTail: '\u001b[31mFAIL\u001b[0m test/order.test.ts\r\n  expected 1250 to be 12.5\n',
        partial: {
          generationId: 'generation-1',
          text: 'I wrote the tests; one of them fails.',
          files: [],
          deniedTools: [],
          warnings: [],
          usage: undefined,
          sessionId: undefined,
          model: PRO,
          durationMs: 61_000,
          transport: 'headless',
          cliVersion: '0.61.0',
          recovered: false,
          repairs: 0,
        },
      }),
      files: [changed('src/order.ts', CONVERTED, TESTED)],
    }),
    aStep('docs', {
      state: 'skipped',
      needs: ['test[src/order.ts]'],
      skippedBecauseOf: 'test[src/order.ts]',
      prompt: 'Document the API.',
    }),
    aStep('changelog', {
      state: 'skipped',
      needs: ['docs'],
      skippedBecauseOf: 'test[src/order.ts]',
    }),
    aStep('benchmarks', {
      state: 'cancelled',
      prompt: 'Measure the parser.',
      attempts: [
        anAttempt(16_810, 16_842, {
          lane: 1,
          outcome: 'CANCELLED',
          message: 'Stopped by the caller.',
        }),
      ],
      durationMs: 32_000,
      error: anError({
        code: 'CANCELLED',
        message: 'The run was cancelled.',
        hint: 'Resume the batch.',
      }),
    }),
    aStep('review', {
      state: 'failed',
      prompt: 'Review everything.',
      attempts: [
        anAttempt(16_800, 16_850, {
          outcome: 'QUOTA_EXHAUSTED',
          message: 'The daily quota is used up.',
        }),
      ],
      durationMs: 50_000,
      error: anError({
        code: 'QUOTA_EXHAUSTED',
        message: 'The daily quota is used up.',
        hint: 'Wait for it to be renewed, or set another `model`.',
        httpStatus: 429,
      }),
    }),
    aStep('release-notes', {
      state: 'pending',
      needs: ['review'],
      prompt: 'Write the release notes.',
    }),
  ];
}

function hostileStep(): StepReport {
  const text = Object.values(HOSTILE).join('\n');
  return aStep(HOSTILE.stepId, {
    state: 'failed',
    prompt: text,
    text,
    data: { [HOSTILE.markup]: HOSTILE.quotes, __proto__: { polluted: true } },
    attempts: [anAttempt(16_790, 16_799, { outcome: 'UNKNOWN', message: text })],
    durationMs: 9_000,
    usage: usageOf({ [HOSTILE.markup]: 900 }),
    warnings: [{ code: 'CLI_WARNING', message: HOSTILE.markup }],
    error: anError({ message: HOSTILE.markup, hint: HOSTILE.quotes, stderrTail: text }),
    files: [
      { ...changed(HOSTILE.path, `${HOSTILE.markup}\n`, `${text}\n`), sensitive: HOSTILE.markup },
    ],
  });
}

function collectFiles(steps: readonly StepReport[]): readonly BatchFile[] {
  const files = new Map<string, BatchFile>();
  for (const { id, files: written } of steps) {
    for (const file of written) {
      const { path, absolutePath, kind, bytes, sha256Before, sha256After, sensitive } = file;
      const before = files.get(path);
      files.set(path, {
        path,
        absolutePath,
        kind: before?.kind ?? kind,
        bytes,
        sha256Before: before === undefined ? sha256Before : before.sha256Before,
        sha256After,
        steps: [...(before?.steps ?? []), id],
        conflicts: before === undefined ? [] : [...before.steps, id],
        sensitive,
      });
    }
  }
  return [...files.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Creates a report of a batch at work, with worktree steps that wait for a slot and for their merge. */
export function createRunningReport(): BatchReport {
  const steps = Array.from({ length: 24 }, (_, index): StepReport => {
    const lane = index % 4;
    const from = Math.floor(index / 4) * 10 + lane;
    const isLast = index >= 20;
    const isMerging = !isLast && index >= 16;
    const attempt = isLast
      ? anAttempt(from, undefined, { lane, outcome: 'running', generationId: `g${index}` })
      : anAttempt(from, from + 9, {
          lane,
          waitedMs: lane * 1_000,
          mergedAt: isMerging ? undefined : at(from + 9 + (index % 5) * 6),
          generationId: `g${index}`,
          reason: index === 1 ? 'prompt' : 'new',
        });
    return aStep(`convert[src/module-${index}.js]`, {
      isolation: 'worktree',
      state: isLast ? 'running' : isMerging ? 'merging' : 'succeeded',
      attempts: [attempt],
      durationMs: isLast ? 0 : 9_000 - lane * 1_000,
      waitMs: lane * 1_000,
      sessionId: `session-${index}`,
      prompt: `Convert src/module-${index}.js.`,
      expectations: [
        { kind: 'files', name: 'src/*.ts', passed: true },
        {
          kind: 'command',
          name: 'npm test',
          passed: false,
          message: '`npm test` exited with 1',
          detail: 'FAIL test/module.test.ts',
        },
      ],
    });
  });
  const environment = {
    packageVersion: '0.1.0',
    nodeVersion: '20.19.0',
    cliVersion: '0.61.0',
    host: 'builder-7',
    platform: 'linux x64',
    commit: '0c5ad7e1f3b24c6d8e9f0a1b2c3d4e5f6a7b8c9d-dirty',
    planFile: '/repo/plans/convert.yaml',
  };
  return aReport(steps, {
    name: 'Convert all modules',
    outcome: 'running',
    endedAt: at(60),
    runs: [{ startedAt: at(0), endedAt: at(60), environment }],
    durationMs: 60_000,
  });
}

/** Creates the transcript of a step with each kind of entry. */
export function createTranscript(generationId: string): Transcript {
  return {
    isCut: false,
    entries: [
      { kind: 'prompt', text: 'Convert src/module-1.js.', generationId },
      { kind: 'thinking', text: 'I should read the file first.', generationId },
      {
        kind: 'tool',
        tool: 'read_file',
        summary: 'src/module-1.js',
        verdict: 'completed',
        durationMs: 12,
        generationId,
      },
      { kind: 'text', text: 'I converted the module.', generationId },
      {
        kind: 'tool',
        tool: 'run_shell_command',
        summary: `npm test -- ${'src/very-long-name '.repeat(10)}`,
        verdict: 'denied',
        output: HOSTILE.markup,
        generationId,
      },
      { kind: 'repair', text: 'Repair 1 of 2: `npm test` exited with 1', generationId },
      { kind: 'error', text: 'EXPECTATION_FAILED npm test', generationId },
    ],
  };
}

/** Creates a report with eight lanes, five files for each step and some failures. */
export function createLargeReport(stepCount: number): BatchReport {
  const lanes = 8;
  const steps = Array.from({ length: stepCount }, (_, index): StepReport => {
    const lane = index % lanes;
    const row = Math.floor(index / lanes);
    const from = row * 40 + lane * 3;
    const name = `migrate[packages/p${String(index % 40).padStart(2, '0')}/module-${String(index).padStart(4, '0')}]`;
    const fails = index % 37 === 5;
    const retried = index % 11 === 3;
    const length = 14 + ((index * 7) % 20);
    const attempts = retried
      ? [
          anAttempt(from, from + 6, { lane, outcome: 'RATE_LIMITED' }),
          anAttempt(from + 8, from + 8 + length, {
            lane,
            number: 2,
            outcome: fails ? 'TIMEOUT' : 'succeeded',
          }),
        ]
      : [
          anAttempt(from, from + length, {
            lane,
            outcome: fails ? 'TIMEOUT' : 'succeeded',
            repairs: index % 9 === 0 ? 1 : 0,
          }),
        ];
    const folder = `packages/p${String(index % 40).padStart(2, '0')}/src/module-${String(index).padStart(4, '0')}`;
    return aStep(name, {
      state: fails ? 'failed' : 'succeeded',
      prompt: `Migrate module ${index} to the new client. `.repeat(12),
      text: `Module ${index} uses the new client now. `.repeat(20),
      attempts,
      durationMs: length * 1000,
      usage: usageOf({ [FLASH]: 8_000 + ((index * 977) % 30_000), [PRO]: (index * 131) % 9_000 }),
      error: fails
        ? anError({
            code: 'TIMEOUT',
            message: `No answer for ${length} s.`,
            hint: 'Raise `timeout`.',
            phase: 'idle',
            retryable: true,
          })
        : undefined,
      files: Array.from({ length: 5 }, (_unused, file) =>
        changed(`${folder}/file-${file}.ts`, CONVERTER, CONVERTED),
      ),
    });
  });
  const seconds = Math.ceil(stepCount / lanes) * 40 + 60;
  return aReport(steps, {
    name: 'Migrate every package to the new client',
    endedAt: at(seconds),
    durationMs: seconds * 1000,
    files: collectFiles(steps),
  });
}
