import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  changeFile,
  scriptedResult,
  UNUSED_METHODS,
} from '../../test/batch/run/scripted-result.mjs';

/**
 * Creates a provider inside of this process. Each step takes `ms` and writes a file named after its prompt.
 * The provider has only the members that a batch uses.
 * @param {number} ms
 */
export function createScriptedProvider(ms) {
  return {
    /** @param {string} prompt @param {import('gemini-cli-provider').GenerateContext} context @param {{ workingDir: string, signal?: AbortSignal }} options */
    async *stream(prompt, context, { workingDir, signal }) {
      yield { type: 'session-init', sessionId: 's', generationId: prompt };
      await sleep(ms, undefined, { signal });
      const file = changeFile(workingDir, `${prompt}.txt`, prompt, (absolutePath) => {
        writeFileSync(absolutePath, prompt, { flag: 'a' });
      });
      const tokens = { total: 7, input: 5, output: 2, cached: 0, thoughts: 0, tool: 0 };
      const result = scriptedResult({ text: prompt, files: [file], tokens, context });
      yield { type: 'turn-complete', subtype: 'success', isError: false, result };
    },
    ...UNUSED_METHODS,
  };
}
