import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { languageOf } from '../../../web/model/language-of.js';
import { parseDiff } from '../../../web/model/parse-diff.js';
import { diffTable } from '../../../web/view/diff-table.js';

/** Shows a diff with the table of the web kit. */
export function DiffView({
  diff,
  path,
}: {
  readonly diff: string;
  readonly path: string;
}): JSX.Element {
  const holder = useRef<HTMLDivElement>(null);
  // The page follows its end by the height of the rows, so the table must be there when they are measured.
  useLayoutEffect(() => {
    holder.current?.replaceChildren(diffTable(parseDiff(diff), languageOf(path)));
  }, [diff, path]);
  return (
    <div
      role="group"
      class="diff-holder"
      ref={holder}
      aria-label={`Change of ${path}`}
      tabIndex={0}
    />
  );
}
