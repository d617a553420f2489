import { stat } from 'node:fs/promises';
import type { BatchReport } from '../../../api/batch-report.js';
import type { StepReport } from '../../../api/step-report.js';
import { rankSteps } from '../rank-steps.js';
import { readTranscript } from './read-transcript.js';
import type { Transcript } from './transcript.js';

/** Limits of all transcripts of a page. */
const MOST_CHARACTERS = 8 * 1024 * 1024;
const MOST_FILES = 2_000;
const MOST_BYTES_READ = 256 * 1024 * 1024;

interface Known {
  readonly version: string;
  readonly transcript: Transcript;
  readonly characters: number;
}

/**
 * Reads the transcripts for the page of a batch. Failed and slow steps come first, up to a limit in total: a page with
 * the transcripts of 100,000 steps would not open. Transcripts that were read once are kept, so that a report of a
 * running batch reads the files of changed steps alone.
 */
export class TranscriptReader {
  readonly #pathOf: (stepId: string) => string;
  readonly #known = new Map<string, Known>();

  /** @param pathOf returns the path of `events.jsonl` of a step */
  constructor(pathOf: (stepId: string) => string) {
    this.#pathOf = pathOf;
  }

  async read(report: BatchReport): Promise<ReadonlyMap<string, Transcript>> {
    const transcripts = new Map<string, Transcript>();
    let [characters, bytesRead, files] = [0, 0, 0];
    for (const step of rankSteps(report.steps)) {
      if (step.attempts.length === 0) continue;
      if (characters >= MOST_CHARACTERS || files >= MOST_FILES) break;
      if (bytesRead >= MOST_BYTES_READ) break;
      files += 1;
      const { known, read } = await this.#readStep(step);
      bytesRead += read;
      if (known === undefined || known.transcript.entries.length === 0) continue;
      characters += known.characters;
      transcripts.set(step.id, known.transcript);
    }
    for (const id of this.#known.keys()) if (!transcripts.has(id)) this.#known.delete(id);
    return transcripts;
  }

  async #readStep(step: StepReport): Promise<{ known: Known | undefined; read: number }> {
    const path = this.#pathOf(step.id);
    const version = await stat(path).then(
      ({ size, mtimeMs }) => `${size} ${mtimeMs}`,
      () => '',
    );
    const before = this.#known.get(step.id);
    if (version === '') return { known: undefined, read: 0 };
    if (before?.version === version) return { known: before, read: 0 };
    const denied = new Set(step.deniedTools.map(({ toolId }) => toolId));
    const found = await readTranscript(path, denied);
    if (found === undefined) return { known: undefined, read: 0 };
    const { transcript, bytesRead } = found;
    const characters = JSON.stringify(transcript).length;
    const known = { version, transcript, characters };
    this.#known.set(step.id, known);
    return { known, read: bytesRead };
  }
}
