import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GenerateResult } from '../../api/result.js';
import type { ConformanceCheck } from './conformance-subject.js';
import { findEnd, type StepRecording } from './record-step.js';
import { CONTEXT, type SharedSteps } from './shared-steps.js';

/** Type of each field that every result has. `undefined` is allowed where the type says so. */
const FIELDS = {
  generationId: ['string'],
  text: ['string'],
  files: ['object'],
  filesWritten: ['object'],
  deniedTools: ['object'],
  warnings: ['object'],
  usage: ['object', 'undefined'],
  sessionId: ['string', 'undefined'],
  model: ['string', 'undefined'],
  durationMs: ['number'],
  transport: ['string'],
  cliVersion: ['string', 'undefined'],
  recovered: ['boolean'],
  repairs: ['number'],
  context: ['object'],
} as const satisfies Partial<Record<keyof GenerateResult, readonly string[]>>;

/** Checks of the result of a step that succeeds. */
export function listResultChecks(steps: SharedSteps): ConformanceCheck[] {
  const { main, succeeded, pair, options } = steps;
  const { writtenFile } = options;
  return [
    {
      name: 'the result has every field, and the id of its events',
      run: async () => {
        const recording = await succeeded();
        const result = resultOf(recording);
        for (const [field, types] of Object.entries(FIELDS)) {
          const found = typeof Reflect.get(result, field);
          assert.ok(
            types.some((type) => type === found),
            `${field} is of the type ${found}`,
          );
        }
        assert.equal(result.generationId, recording.events[0]?.generationId);
      },
    },
    {
      name: 'the context of the call comes back unchanged',
      run: async () => {
        assert.deepEqual(resultOf(await succeeded()).context, CONTEXT);
      },
    },
    {
      name: 'generate() returns what stream() yields',
      run: async () => {
        const { result, recording } = await pair();
        const streamed = resultOf(recording);
        assert.equal(result.text, streamed.text);
        assert.deepEqual(keysOf(result), keysOf(streamed));
        assert.deepEqual(Object.keys(result.filesWritten), Object.keys(streamed.filesWritten));
      },
    },
    {
      name: 'steps at the same time have ids of their own',
      run: async () => {
        const { result, recording } = await pair();
        const ids = new Set(recording.events.map(({ generationId }) => generationId));
        assert.equal(ids.size, 1, 'Events of two steps are mixed');
        assert.ok(!ids.has(result.generationId), 'Two steps have the same id');
      },
    },
    ...(writtenFile === undefined
      ? []
      : [
          {
            name: 'the manifest has the written file as it is on the disk',
            run: async () => {
              const { workingDir } = await main();
              assertManifest(resultOf(await succeeded()), writtenFile);
              const content = await readFile(join(workingDir, writtenFile));
              const file = resultOf(await succeeded()).files.find(
                ({ path }) => path === writtenFile,
              );
              assert.equal(file?.bytes, content.length);
              assert.equal(file.sha256After, createHash('sha256').update(content).digest('hex'));
            },
          },
        ]),
  ];
}

function assertManifest({ files, filesWritten }: GenerateResult, writtenFile: string): void {
  const paths = files.map(({ path }) => path);
  assert.deepEqual(paths, [writtenFile], 'The manifest has other files');
  assert.equal(files[0]?.kind, 'created');
  assert.equal(files[0].outsideWorkspace, false);
  assert.deepEqual(filesWritten, { [writtenFile]: null });
}

function resultOf(recording: StepRecording): GenerateResult {
  const { result } = findEnd(recording) ?? {};
  if (recording.thrown !== undefined) throw recording.thrown;
  assert.ok(result !== undefined, 'The step has no result');
  return result;
}

/** Returns the names of the fields that have a value. */
/** Returns the fields of a result. `messages` is left out: `generate` makes it of the events that a reader of the stream has seen. */
function keysOf({ messages: _, ...result }: GenerateResult): string[] {
  return Object.entries(result)
    .flatMap(([key, value]) => (value === undefined ? [] : key))
    .sort();
}
