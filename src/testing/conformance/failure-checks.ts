import assert from 'node:assert/strict';
import { ERROR_CODES } from '../../base/errors/codes.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { ConformanceCheck } from './conformance-subject.js';
import { findEnd } from './record-step.js';
import { CONTEXT, type SharedSteps } from './shared-steps.js';

/** Checks of a step that fails, and of a call that cannot begin. */
export function listFailureChecks(steps: SharedSteps): ConformanceCheck[] {
  const { main, failed, options } = steps;
  const { partialFile, prompts } = options;
  return [
    {
      name: 'a failed step ends with turn-complete, and the stream throws its error',
      run: async () => {
        const recording = await failed();
        const error = assertProviderError(recording.thrown);
        const end = findEnd(recording);
        assert.ok(end !== undefined, 'The last event is not turn-complete');
        assert.equal(end.isError, true);
        assert.equal(end.result, undefined);
        assert.equal(end.subtype, error.code);
        assert.equal(end.error?.code, error.code);
      },
    },
    {
      name: 'an error is a ProviderError with a code, a hint and an id, and plain JSON',
      run: async () => {
        const { thrown, events } = await failed();
        const error = assertProviderError(thrown);
        assert.ok(Object.hasOwn(ERROR_CODES, error.code), `${error.code} is no code`);
        assert.equal(error.retryable, ERROR_CODES[error.code].retryable);
        assert.ok(error.message !== '' && error.hint !== '', 'Message or hint is empty');
        assert.equal(error.generationId, events[0]?.generationId);
        assert.equal(JSON.parse(JSON.stringify(error)).code, error.code);
      },
    },
    {
      name: 'the error has in `partial` what the step has produced',
      run: async () => {
        const { partial } = assertProviderError((await failed()).thrown);
        assert.ok(partial !== undefined, 'The error has no partial output');
        assert.equal(typeof partial.text, 'string');
        if (partialFile === undefined) return;
        const paths = partial.files.map(({ path }) => path);
        assert.deepEqual(paths, [partialFile], 'The files before the failure are missing');
      },
    },
    {
      name: 'generate() throws the error that stream() throws',
      run: async () => {
        const { provider } = await main();
        const expected = assertProviderError((await failed()).thrown);
        const error = assertProviderError(await catchOf(provider.generate(prompts.fail, CONTEXT)));
        assert.equal(error.code, expected.code);
      },
    },
    {
      name: 'an empty prompt is INVALID_INPUT, rejected and not thrown',
      run: async () => {
        const { provider } = await main();
        const promise = provider.generate('', CONTEXT);
        assert.equal(assertProviderError(await catchOf(promise)).code, 'INVALID_INPUT');
      },
    },
  ];
}

/** Returns the reason of a rejection, or undefined. */
export function catchOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

export function assertProviderError(thrown: unknown): ProviderError {
  assert.ok(thrown !== undefined, 'Nothing was thrown');
  assert.ok(ProviderError.isInstance(thrown), `Not a ProviderError: ${String(thrown)}`);
  return thrown;
}
