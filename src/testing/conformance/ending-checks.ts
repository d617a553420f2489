import assert from 'node:assert/strict';
import type { ConformanceCheck } from './conformance-subject.js';
import { assertProviderError, catchOf } from './failure-checks.js';
import { endsWithin } from './record-step.js';
import { CONTEXT, type SharedSteps } from './shared-steps.js';

/** Checks of the ways in which a caller ends a step. */
export function listCancelChecks({
  main,
  cancelled,
  endWithin,
  options: { prompts },
}: SharedSteps): ConformanceCheck[] {
  return [
    {
      name: 'a signal that is aborted before the call starts nothing',
      run: async () => {
        const { provider } = await main();
        const options = { signal: AbortSignal.abort() };
        const step = catchOf(provider.generate(prompts.wait, CONTEXT, options));
        const error = await endsWithin(endWithin, 'The aborted step', step);
        assert.equal(assertProviderError(error).code, 'CANCELLED');
      },
    },
    {
      name: 'an abort ends the step with CANCELLED, and the reason as its cause',
      run: async () => {
        const { thrown, reason } = await cancelled();
        const error = assertProviderError(thrown);
        assert.equal(error.code, 'CANCELLED');
        assert.equal(error.cause, reason);
      },
    },
    {
      name: 'leaving the loop ends the step',
      run: async () => {
        const { provider } = await main();
        const leave = async () => {
          for await (const _ of provider.stream(prompts.wait, CONTEXT)) break;
        };
        await endsWithin(endWithin, 'The left step', leave());
      },
    },
    {
      name: 'return() ends a step whose next event is awaited',
      run: async () => {
        const { provider } = await main();
        const events = provider.stream(prompts.wait, CONTEXT)[Symbol.asyncIterator]();
        const reading = readAll(events);
        await reading.first;
        const returned = events.return?.();
        assert.ok(returned !== undefined, 'The stream has no return()');
        await endsWithin(endWithin, 'return()', returned);
        await endsWithin(endWithin, 'The pending next()', reading.all);
      },
    },
  ];
}

/** Checks of `dispose()`, of the metadata and of `validate()`. */
export function listProviderChecks({ main, disposed, endWithin }: SharedSteps): ConformanceCheck[] {
  return [
    {
      name: 'metadata names the provider, its keys and its access to files',
      run: async () => {
        const { metadata } = (await main()).provider;
        assert.ok(metadata.name !== '' && metadata.description !== '', 'A name is empty');
        assert.ok(Array.isArray(metadata.configKeys), 'configKeys is no list');
        assert.ok(['none', 'local-read', 'local-write'].includes(metadata.fsAbility));
        assert.ok(metadata.defaultResponseTimeout > 0, 'defaultResponseTimeout is not above 0');
      },
    },
    {
      name: 'validate() reports where steps run',
      run: async () => {
        const { provider, workingDir } = await main();
        const report = await provider.validate();
        assert.equal(typeof report.cliPath, 'string');
        assert.equal(report.workingDir, workingDir);
        assert.ok(Array.isArray(report.notes), 'notes is no list');
      },
    },
    {
      name: 'dispose() cancels running steps',
      run: async () => {
        const { recording } = await disposed();
        assert.equal(assertProviderError(recording.thrown).code, 'CANCELLED');
      },
    },
    {
      name: 'dispose() may be called again, also by `await using`',
      run: async () => {
        const { provider } = await disposed();
        await endsWithin(endWithin, 'dispose()', provider.dispose());
        await endsWithin(endWithin, 'asyncDispose', provider[Symbol.asyncDispose]());
      },
    },
    {
      name: 'a disposed provider refuses steps',
      run: async () => {
        const { provider } = await disposed();
        const step = catchOf(provider.generate('After the end', CONTEXT));
        assertProviderError(await endsWithin(endWithin, 'A refused step', step));
      },
    },
  ];
}

/** Reads events until the end. An error is the end, too: the step was cancelled. */
function readAll(events: AsyncIterator<unknown>) {
  const first = events.next();
  const rest = async () => {
    await first;
    while ((await events.next()).done !== true);
  };
  return { first, all: rest().catch(() => {}) };
}
