import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderError } from 'gemini-cli-provider';
import {
  changeFile,
  scriptedResult,
  UNUSED_METHODS,
} from '../../test/batch/run/scripted-result.mjs';

/** Words of a prompt that are no files. */
const WORDS = ['wait', 'text', 'deltas', 'ticks', 'step', 'fail', 'full', 'until'];

/** Prompts that have failed in this process. */
const failed = new Set();

/** Milliseconds since 1970, with a fraction. */
const now = () => performance.timeOrigin + performance.now();

/**
 * Creates a provider inside of this process, whose steps do what their prompt says: `wait=200` waits, `until=/a` waits for a file,
 * `a.txt=x` writes a file,
 * `a.txt+=x` appends to it, `text=500` answers with so many characters, `deltas=20` in so many pieces,
 * `ticks=1000` adds one piece with its number and the time in each millisecond. `fail=AUTH` fails with this code, with `once` in the
 * prompt at the first run of the prompt in this process only; `full=1` fails as on a full disk.
 * @param {string} [runs] file that gets a line for each step that begins
 */
export function createQueueAgent(runs) {
  return {
    ...UNUSED_METHODS,
    validate: async () => ({ cliPath: '', cliVersion: undefined, workingDir: '', notes: [] }),
    /**
     * @param {string} prompt
     * @param {import('gemini-cli-provider').GenerateContext} context
     * @param {{ workingDir: string, signal?: AbortSignal }} options
     */
    async *stream(prompt, context = {}, { workingDir, signal }) {
      if (runs !== undefined) appendFileSync(runs, `${prompt}\n`);
      const words = [...prompt.matchAll(/(\S+?)(\+?)=(\S+)/g)];
      /** @param {string} name */
      const numberOf = (name) => Number(words.find(([, word]) => word === name)?.[3] ?? 0);
      yield { type: 'session-init', sessionId: 's', generationId: prompt };
      const length = numberOf('text');
      let text = length === 0 ? `said ${prompt}` : 'x'.repeat(length);
      const deltas = numberOf('deltas') || 1;
      for (let part = 0; part < deltas; part++) {
        const begin = Math.floor((part * text.length) / deltas);
        const end = Math.floor(((part + 1) * text.length) / deltas);
        yield { type: 'text-delta', text: text.slice(begin, end), textKind: 'text' };
      }
      for (let tick = 0, startedAt = now(); tick < numberOf('ticks'); tick++) {
        // A timer is late on a busy machine: the ticks that it missed follow at once.
        while (now() < startedAt + tick) await sleep(1);
        const delta = ` ${tick}:${now().toFixed(1)};`;
        text += delta;
        yield { type: 'text-delta', text: delta, textKind: 'text' };
      }
      const code = words.find(([, word]) => word === 'fail')?.[3];
      if (code !== undefined && !(prompt.includes('once') && failed.has(prompt))) {
        failed.add(prompt);
        const retryAfterMs = code === 'RATE_LIMITED' ? 700 : undefined;
        // @ts-expect-error: the prompt names a code.
        throw new ProviderError({ code, message: `as asked: ${code}`, retryAfterMs });
      }
      if (numberOf('full') > 0) throw Object.assign(new Error('write'), { code: 'ENOSPC' });
      const tokens = { total: 7, input: 5, output: 2, cached: 0, thoughts: 0, tool: 0 };
      /** @type {import('gemini-cli-provider').ManifestFile[]} */
      const files = [];
      for (const [, path = '', append, content = ''] of words) {
        if (path === 'wait')
          await sleep(Number(content), undefined, { signal }).catch((cause) => {
            const partial = {
              ...scriptedResult({ text, files, tokens, context }),
              generationId: '',
            };
            throw new ProviderError({ code: 'CANCELLED', message: 'cancelled', partial, cause });
          });
        while (path === 'until' && !existsSync(content) && !signal?.aborted) await sleep(50);
        if (WORDS.includes(path)) continue;
        files.push(
          changeFile(workingDir, path, `${content}\n`, (absolutePath) => {
            mkdirSync(dirname(absolutePath), { recursive: true });
            writeFileSync(absolutePath, `${content}\n`, { flag: append === '+' ? 'a' : 'w' });
          }),
        );
      }
      const result = scriptedResult({ text, files, tokens, context });
      yield { type: 'turn-complete', subtype: 'success', isError: false, result };
    },
  };
}
