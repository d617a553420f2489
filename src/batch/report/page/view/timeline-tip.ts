import { formatCompact, formatCount, formatTime } from '../../../../web/model/format.js';
import { revealInLine } from '../../../../web/reveal-controls.js';
import { type Child, h } from '../../../../web/view/element.js';
import { describeOutcome } from '../model/attempt-kind.js';
import { describeLost, describeTimes, describeWorker } from '../model/attempt-times.js';
import type { TimedItem } from '../model/timeline-items.js';
import { name } from './name.js';

/** Renders the tooltip of an attempt. */
export function tipOf(item: TimedItem): readonly Child[] {
  const { attempt, step } = item;
  return [
    h('strong', {}, name(step.id)),
    h('span', { class: `tip-outcome is-${item.kind}` }, describeOutcome(item.kind, attempt)),
    attempt.message !== undefined &&
      h('span', { class: 'tip-message', dir: 'auto' }, attempt.message),
    h('span', { class: 'dim' }, revealInLine(factsOf(item).join(' · '))),
  ];
}

/** Returns the label of an attempt for screen readers. */
export function labelOf(item: TimedItem): string {
  const { attempt, step } = item;
  const facts = [describeOutcome(item.kind, attempt), ...factsOf(item), attempt.message];
  return revealInLine(`${step.id}, ${facts.filter(Boolean).join(', ')}`);
}

function factsOf({ attempt, step, kind }: TimedItem): readonly string[] {
  const facts = [
    `attempt ${attempt.number}${step.attempts.length > 1 ? ` of ${step.attempts.length}` : ''}`,
    ...describeTimes(attempt, kind),
    attempt.job === undefined ? `lane ${attempt.lane + 1}` : `on ${describeWorker(attempt.job)}`,
    ...describeLost(attempt.job),
    formatTime(attempt.startedAt),
  ];
  if (attempt.repairs > 0) facts.push(formatCount(attempt.repairs, 'repair turn'));
  if (attempt.usage !== undefined) facts.push(`${formatCompact(attempt.usage.total)} tokens`);
  return facts;
}
