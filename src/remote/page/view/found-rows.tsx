import type { JSX } from 'preact';
import { revealControls } from '../../../web/reveal-controls.js';

interface FoundRowsProps {
  readonly count: number;
  readonly wanted: string;
  readonly clear: () => void;
}

/** Says that a search hides rows, also when its field is not shown. */
export function FoundRows({ count, wanted, clear }: FoundRowsProps): JSX.Element {
  const rows = count === 0 ? 'No row has' : count === 1 ? '1 row has' : `${count} rows have`;
  return (
    <p class="notice found">
      <span role="status">
        {rows} the text “{revealControls(wanted.trim())}”
      </span>
      <button type="button" onClick={clear}>
        Show all
      </button>
    </p>
  );
}
