import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { nodeBinary } from '../../.config/node-binary.mjs';

const NODE_MAJOR = 24;

/**
 * Measures the cold step on a Node with a compile cache. Plain gemini runs on the same Node, because its first line
 * finds node on PATH. The cache is empty at the start; the step before the first round fills it.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchCompileCache(rounds) {
  const node = await nodeBinary(NODE_MAJOR);
  const cache = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const main = join(import.meta.dirname, 'main.mjs');
    const args = [main, '--json', '--only', 'cold', '--rounds', String(rounds)];
    const path = [dirname(node), process.env['PATH']].join(delimiter);
    const child = spawn(node, args, {
      env: { ...process.env, PATH: path, XDG_CACHE_HOME: cache },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [measured] = await Promise.all([json(child.stdout), once(child, 'exit')]);
    const [{ value, detail }] = /** @type {[import('./report.mjs').Measurement]} */ (measured);
    const name = `cold step on Node ${NODE_MAJOR} with a compile cache: speed against plain gemini`;
    return [{ name, value, unit: 'x', atLeast: 1.75, detail }];
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}
