/** A piece of one line and what it is in its language: `keyword`, `string`, `title.function`. */
export interface CodeToken {
  readonly text: string;
  readonly scope?: string | undefined;
}

/**
 * Takes what the highlighter finds and lays it out by lines, as data. The highlighter itself would write
 * markup, in which a comment over three lines is one element: of no use for the rows of a diff.
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

  /** Script in a page, style in a page. */
  addLines(lines: readonly (readonly CodeToken[])[]): void {
    const [first = [], ...rest] = lines;
    this.lines.at(-1)?.push(...first);
    for (const line of rest) this.lines.push([...line]);
  }
}
