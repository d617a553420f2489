import type { SessionDiagnostic } from '../../api/session.js';
import { LineFramer } from '../../base/ndjson/line-framer.js';
import { parseJsonLine } from '../../base/ndjson/parse-json-line.js';
import { splitGluedObjects } from '../../base/ndjson/split-glued-objects.js';
import { type FoldedChange, SessionFold } from './fold-session.js';
import { parseSessionLine } from './session-line.js';

/** Highest number of diagnostics. A large file of garbage must not fill the memory. */
const MOST_DIAGNOSTICS = 1000;

/** Parses a session file of the newer generation, chunk by chunk, and collects diagnostics of unreadable lines. */
export class JsonlSession {
  readonly fold = new SessionFold();
  readonly diagnostics: SessionDiagnostic[] = [];
  readonly #onChange: (change: FoldedChange) => void;
  readonly #framer = new LineFramer({
    onLine: (line) => this.#accept(line),
    onOverlong: (bytes) => {
      this.#report('overlong-line', `too long (${bytes} bytes)`);
    },
  });
  #line = 0;
  #isEnding = false;

  constructor(onChange: (change: FoldedChange) => void = () => {}) {
    this.#onChange = onChange;
  }

  push(chunk: Buffer): void {
    this.#framer.push(chunk);
  }

  /** Parses the remaining bytes as the last line. */
  end(): void {
    this.#isEnding = true;
    this.#framer.end();
  }

  #accept(line: string): void {
    this.#line++;
    const value = parseJsonLine(line);
    const glued = value === undefined ? splitGluedObjects(line) : undefined;
    if (glued === undefined) {
      this.#acceptRecord(value);
      return;
    }
    for (const object of glued.objects) this.#acceptRecord(object);
    if (glued.rest !== '') this.#acceptRecord(undefined);
  }

  /** Accepts a record. Undefined stands for text that is no JSON object. */
  #acceptRecord(value: object | undefined): void {
    const read = value && parseSessionLine(value);
    if (read === undefined) {
      const isTorn = this.#isEnding && value === undefined;
      if (isTorn) this.#report('torn-line', 'incomplete last line');
      else this.#report('garbage', 'not a record of a session');
      return;
    }
    if (read.damaged > 0) {
      this.#report('damaged-message', 'has fields that cannot be read');
    }
    this.#onChange(this.fold.accept(read.line));
  }

  #report(kind: SessionDiagnostic['kind'], problem: string): void {
    const line = kind === 'overlong-line' ? ++this.#line : this.#line;
    if (this.diagnostics.length >= MOST_DIAGNOSTICS) return;
    this.diagnostics.push({ kind, line, message: `Line ${line}: ${problem}` });
  }
}
