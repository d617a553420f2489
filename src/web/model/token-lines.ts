/** Part of one line with its scope in the language: `keyword`, `string`, `title.function`. */
export interface CodeToken {
  readonly text: string;
  readonly scope?: string | undefined;
}

/**
 * Collects the tokens of the highlighter by line, as data. The highlighter itself writes markup, in which a comment
 * over three lines is one element; the rows of a diff need an element for each line.
 */
export class TokenLines {
  readonly lines: CodeToken[][] = [[]];
  readonly #scopes: string[] = [];

  startScope(scope: string): void {
    this.#scopes.push(scope);
  }

  endScope(): void {
    this.#scopes.pop();
  }

  addText(text: string): void {
    const scope = this.#scopes.at(-1);
    text.split('\n').forEach((piece, index) => {
      if (index > 0) this.lines.push([]);
      if (piece !== '') this.lines.at(-1)?.push({ text: piece, scope });
    });
  }

  /** Appends the lines of an embedded language, such as a script in an HTML page. */
  addLines(lines: readonly (readonly CodeToken[])[]): void {
    const [first = [], ...rest] = lines;
    this.lines.at(-1)?.push(...first);
    for (const line of rest) this.lines.push([...line]);
  }
}
