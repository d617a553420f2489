import type { BatchWarning } from '../contract/batch-report.js';
import type { ManifestFile } from '../contract/manifest.js';

interface Writing {
  readonly step: string;
  readonly startedMs: number;
  readonly endedMs: number;
}

/** Finds steps that ran at the same time in the same folder and wrote the same file. */
export class SameFileWatch {
  readonly #writings = new Map<string, Writing[]>();

  /** A step that ran in the folder itself has ended. */
  accept(writing: Writing, files: readonly ManifestFile[]): BatchWarning[] {
    const clashes = new Map<string, string[]>();
    for (const { absolutePath, path, kind } of files) {
      if (kind === 'unchanged') continue;
      const others = this.#writings.get(absolutePath) ?? [];
      for (const other of others) {
        if (other.step === writing.step || other.endedMs <= writing.startedMs) continue;
        clashes.set(other.step, [...(clashes.get(other.step) ?? []), path]);
      }
      this.#writings.set(absolutePath, [...others, writing]);
    }
    return [...clashes].map(([other, paths]) => ({
      code: 'SAME_FILE',
      message: `${other} and ${writing.step} ran at the same time and both wrote ${paths.join(', ')}`,
      steps: [other, writing.step],
      paths,
    }));
  }
}
