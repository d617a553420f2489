import type { StepReport } from '../../../../api/step-report.js';
import {
  formatCompact,
  formatCount,
  formatDuration,
  formatNumber,
} from '../../../../web/model/format.js';
import { type Child, h } from '../../../../web/view/element.js';
import { hasDuration, isInterrupted } from '../model/attempt-kind.js';
import { filesOfStep } from '../model/page-model.js';
import { findSnippet } from '../model/search.js';
import { tokensOfStep } from '../model/step-tokens.js';
import { icon } from './icon.js';
import { highlightMatches, link, name } from './name.js';
import { bar, tokenParts } from './token-bars.js';

/** Renders a row of the list of steps. A full token bar stands for `mostTokens`. */
export function stepRow(step: StepReport, query: string, mostTokens: number): HTMLAnchorElement {
  const tokens = tokensOfStep(step);
  const snippet = query === '' ? '' : findSnippet(step, query);
  return link(
    { view: 'step', id: step.id },
    { class: 'step-row' },
    icon(step.state, step.state),
    h(
      'span',
      { class: 'row-name' },
      name(step.id, query, { class: 'name', title: step.id }),
      h('span', { class: 'row-notes' }, ...notesOf(step)),
    ),
    h('span', { class: 'row-files number' }, fileCount(step)),
    h(
      'span',
      { class: 'row-tokens' },
      tokens.total > 0 && bar(tokenParts(tokens), mostTokens),
      tokens.total > 0 && h('span', { class: 'number' }, formatCompact(tokens.total)),
      tokens.total > 0 && h('span', { class: 'unit' }, ' tokens'),
    ),
    h('span', { class: 'row-duration number' }, durationOf(step)),
    snippet !== '' &&
      h('span', { class: 'row-snippet', dir: 'auto' }, ...highlightMatches(snippet, query)),
  );
}

/** Renders the column headings of the list of steps. */
export function stepColumns(): HTMLElement {
  const cell = (className: string, word: string): HTMLElement =>
    h('span', { class: className }, word);
  return h(
    'div',
    { class: 'columns step-row', 'aria-hidden': 'true' },
    cell('', ''),
    cell('', 'Step'),
    cell('row-files', 'Files'),
    cell('row-tokens-title', 'Tokens'),
    cell('row-duration', 'Duration'),
  );
}

function fileCount(step: StepReport): string {
  const count = filesOfStep(step).length;
  return count === 0 ? '' : formatNumber(count);
}

function durationOf(step: StepReport): string {
  return hasDuration(step) ? formatDuration(step.durationMs) : '';
}

function skipNote({ skippedBecauseOf, skip }: StepReport): string {
  if (skippedBecauseOf !== undefined) return `because of ${skippedBecauseOf}`;
  switch (skip?.reason) {
    case 'condition':
      return 'condition is false';
    case 'selection':
      return 'not selected';
    default:
      return '';
  }
}

function notesOf(step: StepReport): readonly Child[] {
  const repairs = step.attempts.reduce((sum, attempt) => sum + attempt.repairs, 0);
  const notes: readonly (readonly [string, string])[] = [
    ['is-bad', step.state === 'succeeded' ? '' : (step.error?.code ?? '')],
    ['', skipNote(step)],
    ['is-warning', isInterrupted(step) ? 'interrupted' : ''],
    ['', step.continueOnError === true && step.state === 'failed' ? 'may fail' : ''],
    ['is-retry', step.attempts.length > 1 ? formatCount(step.attempts.length, 'attempt') : ''],
    ['is-repair', repairs > 0 ? formatCount(repairs, 'repair') : ''],
    ['is-warning', step.warnings.length > 0 ? formatCount(step.warnings.length, 'warning') : ''],
    ['is-warning', step.deniedTools.length > 0 ? `${step.deniedTools.length} denied` : ''],
    ['', step.reused ? 'reused' : ''],
  ];
  return notes
    .filter(([, text]) => text !== '')
    .map(([className, text]) => h('span', { class: `note ${className}` }, name(text)));
}
