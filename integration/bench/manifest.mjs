import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildManifest } from '../../.build/step/manifest/build-manifest.js';
import { OriginalContents } from '../../.build/step/manifest/original-contents.js';
import { takeSnapshot } from '../../.build/step/manifest/snapshot.js';
import { median, pairedRatio, timed } from './statistics.mjs';

const FILES = 10_000;
const TOUCHED = 10;

/**
 * Measures the manifest of ten touched files in a workspace of ten thousand, against a scan of the whole workspace.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchManifest(rounds) {
  const workspace = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    for (let n = 0; n < FILES; n++) {
      const folder = join(workspace, `d${n % 100}`);
      if (n < 100) await mkdir(folder);
      await writeFile(join(folder, `f${n}.txt`), `file ${n}\n`.repeat(100));
    }
    const toolCalls = Array.from({ length: TOUCHED }, (_, n) => ({
      id: `w${n}`,
      name: 'write_file',
      input: { file_path: `d${n}/f${n}.txt`, content: `file ${n}\n`.repeat(100) },
      outcome: /** @type {const} */ ('completed'),
    }));
    const request = {
      workingDir: workspace,
      workspaceDirs: [workspace],
      toolCalls,
      edits: [],
      changes: undefined,
    };
    const touched = async () => {
      const originalContents = new OriginalContents(workspace, { sinceMs: Date.now() });
      const { files } = await buildManifest({ ...request, originalContents });
      if (files.length !== TOUCHED || !files.every((file) => file.confirmed))
        throw new Error('The manifest has wrong files');
    };
    const scan = async () => {
      const snapshot = await takeSnapshot({
        workspaceDirs: [workspace],
        excludedDirs: [],
        mayAskGit: false,
      });
      if ((await snapshot.changes()).length > 0) throw new Error('The scan has found changes');
    };
    /** @type {{ touched: number[], scan: number[] }} */
    const times = { touched: [], scan: [] };
    await touched();
    for (let round = 0; round < rounds; round++) {
      times.scan.push(await timed(scan));
      times.touched.push(await timed(touched));
    }
    const detail = `scan ${median(times.scan).toFixed(0)} ms, touched files ${median(times.touched).toFixed(2)} ms`;
    return [
      {
        name: 'manifest of 10 touched files: speed against a scan of 10,000',
        value: pairedRatio(times.scan, times.touched),
        unit: 'x',
        atLeast: 50,
        detail,
      },
    ];
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}
