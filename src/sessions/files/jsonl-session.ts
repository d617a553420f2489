import type { SessionDiagnostic } from '../../api/session.js';
import { LineFramer } from '../../base/ndjson/line-framer.js';
import { parseJsonLine } from '../../base/ndjson/parse-json-line.js';
import { type FoldedChange, SessionFold } from './fold-session.js';
import { parseSessionLine } from './session-line.js';

/** Enough to see what is wrong; a large file of nothing but garbage must not fill the memory. */
const MOST_DIAGNOSTICS = 1000;

/** Bytes of a session file → the session so far, and what in them could not be read. */
export class JsonlSession {
  readonly fold = new SessionFold();
  readonly diagnostics: SessionDiagnostic[] = [];
  readonly #onChange: (change: FoldedChange) => void;
  readonly #framer = new LineFramer({
    onLine: (line) => this.#accept(line),
    onOverlong: (bytes) => {
      this.#report('overlong-line', `a line of ${bytes} bytes is too long`);
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

  /** Takes what is left for the last line. */
  end(): void {
    this.#isEnding = true;
    this.#framer.end();
  }

  #accept(line: string): void {
    this.#line++;
    const value = parseJsonLine(line);
    const read = value && parseSessionLine(value);
    if (read === undefined) {
      const isTorn = this.#isEnding && value === undefined;
      if (isTorn) this.#report('torn-line', 'the last line ends in the middle');
      else this.#report('garbage', 'is no record of a session');
      return;
    }
    if (read.damaged > 0) {
      this.#report('damaged-message', 'has fields of a form that cannot be read');
    }
    this.#onChange(this.fold.accept(read.line));
  }

  #report(kind: SessionDiagnostic['kind'], problem: string): void {
    const line = kind === 'overlong-line' ? ++this.#line : this.#line;
    if (this.diagnostics.length >= MOST_DIAGNOSTICS) return;
    this.diagnostics.push({ kind, line, message: `Line ${line}: ${problem}` });
  }
}
