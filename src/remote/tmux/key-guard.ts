import type { parseTitle } from './parse-screen.js';

/** State of the CLI by the title of its window. */
export type PaneState = NonNullable<ReturnType<typeof parseTitle>>;

/** What a pane must show at the moment of a key. tmux itself compares, so that nothing can change in between. */
export interface KeyGuard {
  /** States of the title in which the key may be pressed. Undefined for any, also for a title that says nothing. */
  readonly states?: readonly PaneState[] | undefined;
  /** Rows of the screen that must be there. Of each row its longest plain part is compared. */
  readonly rows: readonly string[];
}

const SIGNS: Readonly<Record<PaneState, string>> = { ready: '◇', working: '✦', asking: '✋' };
/** Characters that mean nothing in a format of tmux, and nothing but the dot in a regular expression. */
const PLAIN = /[A-Za-z0-9 ._=-]+/g;
const MOST_CHARACTERS = 60;
const FEWEST_CHARACTERS = 2;

/** Returns the condition as a format of tmux. Keys that other panes would get, too, are never pressed. */
export function renderGuard({ states, rows }: KeyGuard): string {
  const conditions = [
    ...(states === undefined
      ? []
      : [anyOf(states.map((state) => `#{m:${SIGNS[state]}*,#{pane_title}}`))]),
    ...rows
      .map(plainPartOf)
      .flatMap((part) => (part === undefined ? [] : [`#{C/r:${toExpression(part)}}`])),
  ];
  const all = conditions.reduceRight((rest, condition) => `#{&&:${condition},${rest}}`, '1');
  return `#{?pane_synchronized,0,#{?pane_input_off,0,${all}}}`;
}

/** The terminal may show several blanks where there is one. */
function toExpression(part: string): string {
  return part.replaceAll('.', '[.]').replace(/ +/g, ' +');
}

function anyOf(conditions: readonly string[]): string {
  return conditions.reduceRight((rest, condition) => `#{||:${condition},${rest}}`, '0');
}

/** Returns the longest part of a row that can be searched for. Undefined if there is none. */
function plainPartOf(row: string): string | undefined {
  const parts = [...row.matchAll(PLAIN)].map(([part]) =>
    part.trim().slice(0, MOST_CHARACTERS).trim(),
  );
  const [longest = ''] = parts.sort((a, b) => b.length - a.length);
  return longest.length < FEWEST_CHARACTERS ? undefined : longest;
}
