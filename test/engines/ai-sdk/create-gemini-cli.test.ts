import { createProviderRegistry } from 'ai';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { createGeminiCli } from '../../../src/engines/ai-sdk/create-gemini-cli.js';
import type { GeminiCliCallOptions } from '../../../src/engines/ai-sdk/gemini-cli-settings.js';
import { loadAiSdk } from '../../../src/engines/ai-sdk/load-ai-sdk.js';
import { REVOKED, TRAP } from '../../fixtures/hostile-values.js';
import { fakeSteps, succeeds } from './fake-steps.js';

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('createGeminiCli', () => {
  it('creates models by name, and for the choice of the CLI', async () => {
    const provider = fakeSteps([succeeds()]);
    const gemini = createGeminiCli({ provider });
    expect(gemini('gemini-2.5-pro')).toMatchObject({
      specificationVersion: 'v3',
      provider: 'gemini-cli',
      modelId: 'gemini-2.5-pro',
    });
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'go' }] }];
    await gemini('gemini-2.5-pro').doGenerate({ prompt });
    await gemini().doGenerate({ prompt });
    expect(provider.steps.map(({ options }) => options.model)).toEqual([
      'gemini-2.5-pro',
      undefined,
    ]);
    expect(gemini().modelId).toBe('auto');
    expect(catchError(() => gemini(''))).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('refuses values that throw when they are read', () => {
    for (const options of [TRAP, REVOKED, { provider: TRAP }, { provider: REVOKED }])
      expect(catchError(() => createGeminiCli(options))).toMatchObject({ code: 'INVALID_CONFIG' });
  });

  it('can be registered in the AI SDK', () => {
    const registry = createProviderRegistry({
      gemini: createGeminiCli({ provider: fakeSteps([]) }),
    });
    expect(registry.languageModel('gemini:gemini-2.5-flash').modelId).toBe('gemini-2.5-flash');
    expect(() => registry.embeddingModel('gemini:x')).toThrow('has no model for embeddings');
  });

  it('disposes of its own provider, and not of a given one', async () => {
    const provider = fakeSteps([succeeds()]);
    await createGeminiCli({ provider }).dispose();
    expect(provider.disposals.count).toBe(0);
    // Nothing was started, so there is nothing to end.
    await createGeminiCli()[Symbol.asyncDispose]();
  });

  it('refuses what is no provider, and options that it does not know', () => {
    const refused = (options: object) => catchError(() => createGeminiCli(options));
    expect(refused({ provider: {} })).toMatchObject({ code: 'INVALID_CONFIG' });
    const error = refused({ approvalMod: 'plan', model: 'x', timeout: 3 });
    expect(error).toMatchObject({
      code: 'INVALID_CONFIG',
      problems: [
        { key: 'options.approvalMod', problem: expect.stringContaining('"approvalMode"') },
        { key: 'options.model', problem: expect.stringContaining('gemini(') },
      ],
    });
    expect(refused({ timeout: -1 })).toMatchObject({ problems: [{ key: 'timeout' }] });
  });

  it('has types for the options of a call', () => {
    const options = { resume: 'latest', projectRoot: '.' } satisfies GeminiCliCallOptions;
    expectTypeOf(options).toExtend<GeminiCliCallOptions>();
    expectTypeOf<GeminiCliCallOptions>().not.toHaveProperty('model');
    expectTypeOf<GeminiCliCallOptions>().not.toHaveProperty('signal');
  });
});

describe('loadAiSdk', () => {
  it('names the command that installs a missing package', async () => {
    const missing = Object.assign(new Error('Cannot find package'), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    const error: unknown = await loadAiSdk(() => Promise.reject(missing)).catch(
      (it: unknown) => it,
    );
    expect(ProviderError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'INVALID_CONFIG',
      hint: 'Run `npm install ai @ai-sdk/provider` in the project.',
      cause: missing,
    });
  });
});
