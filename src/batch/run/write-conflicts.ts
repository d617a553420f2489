import type { BatchWarning } from '../../api/batch-report.js';
import type { ManifestFile } from '../../api/manifest.js';
import { isWrittenByTool } from '../ledger/is-written-by-tool.js';

interface Writing {
  readonly step: string;
  readonly startedMs: number;
  readonly endedMs: number;
}

interface FileWriting extends Writing {
  readonly isNamed: boolean;
}

/** Finds steps that ran at the same time in the same folder and wrote the same file. */
export class WriteConflicts {
  readonly #writings = new Map<string, FileWriting[]>();

  /**
   * Adds the files of a finished step with `isolation: shared`. Returns a warning for each step that it conflicts
   * with.
   */
  accept(writing: Writing, files: readonly ManifestFile[]): BatchWarning[] {
    const clashes = new Map<string, string[]>();
    for (const { absolutePath, path, kind, tools } of files) {
      if (kind === 'unchanged') continue;
      const isNamed = isWrittenByTool({ tools });
      const others = this.#writings.get(absolutePath) ?? [];
      for (const other of others) {
        if (other.step === writing.step || other.endedMs <= writing.startedMs) continue;
        // Both steps see the change in the shared folder. If a tool call names the file in one step only, that step
        // wrote it.
        if (other.isNamed !== isNamed) continue;
        clashes.set(other.step, [...(clashes.get(other.step) ?? []), path]);
      }
      this.#writings.set(absolutePath, [...others, { ...writing, isNamed }]);
    }
    return [...clashes].map(([other, paths]) => ({
      code: 'SAME_FILE',
      message: `Steps ${other} and ${writing.step} ran at the same time and both wrote ${paths.join(', ')}`,
      steps: [other, writing.step],
      paths,
    }));
  }
}
