import type { AttemptReason, AttemptReport, StepReport } from '../../../../api/step-report.js';
import { describeCostShortly } from '../../../../base/usage/describe-cost.js';
import { formatCompact, formatCount, formatTime } from '../../../../web/model/format.js';
import { h } from '../../../../web/view/element.js';
import { showMore } from '../../../../web/view/show-more.js';
import { describeOutcome, kindOfAttempt } from '../model/attempt-kind.js';
import { describeTimes, describeWorker } from '../model/attempt-times.js';
import { modelsOfAttempt } from '../model/step-tokens.js';
import { name } from './name.js';

const ATTEMPTS_AT_ONCE = 20;

/** Why an attempt ran. The first attempt of a step needs no words. */
const REASONS: Readonly<Record<Exclude<AttemptReason, 'new'>, string>> = {
  prompt: 'the prompt had changed',
  configuration: 'the configuration had changed',
  inputs: 'inputs had changed',
  needs: 'results that the step needs had changed',
  failed: 'failed in an earlier run',
  cancelled: 'cancelled in an earlier run',
  interrupted: 'interrupted in an earlier run',
  retry: 'retry',
  damaged: 'the earlier result was damaged',
};

export function attemptList(step: StepReport): HTMLElement {
  return showMore(h('ol', { class: 'attempts' }), step.attempts, ATTEMPTS_AT_ONCE, (attempt) =>
    attemptItem(step, attempt),
  );
}

function attemptItem(step: StepReport, attempt: AttemptReport): HTMLElement {
  const kind = kindOfAttempt(attempt, step);
  const models = modelsOfAttempt(attempt);
  const details = [
    attempt.reason === undefined || attempt.reason === 'new' ? '' : REASONS[attempt.reason],
    formatTime(attempt.startedAt),
    ...describeTimes(attempt, kind),
    attempt.job === undefined ? `lane ${attempt.lane + 1}` : '',
    attempt.repairs > 0 ? formatCount(attempt.repairs, 'repair turn') : '',
    attempt.usage === undefined ? '' : `${formatCompact(attempt.usage.total)} tokens`,
    attempt.cost === undefined ? '' : `${describeCostShortly(attempt.cost)} list price`,
  ];
  return h(
    'li',
    { class: `attempt is-${kind}` },
    h('span', { class: 'attempt-number' }, `#${attempt.number}`),
    h(
      'div',
      {},
      h('strong', {}, describeOutcome(kind, attempt)),
      h('span', { class: 'dim' }, ` · ${details.filter(Boolean).join(' · ')}`),
      attempt.job !== undefined &&
        h('span', { class: 'dim' }, ' · on ', name(describeWorker(attempt.job))),
      models.length > 0 && h('span', { class: 'dim' }, ' · ', name(models.join(', '))),
      attempt.sessionId !== undefined &&
        h('span', { class: 'dim session' }, ' · session ', name(attempt.sessionId)),
      attempt.generationId !== undefined &&
        h('span', { class: 'dim session' }, ' · generation ', name(attempt.generationId)),
      attempt.job !== undefined &&
        h('span', { class: 'dim session' }, ' · job ', name(attempt.job.jobId)),
      ...(attempt.job?.lost ?? []).map((lost) =>
        h(
          'p',
          { class: 'is-bad' },
          `Attempt ${lost.attempt} of the job was lost with its worker `,
          name(describeWorker(lost)),
        ),
      ),
      attempt.message !== undefined && h('p', { dir: 'auto' }, attempt.message),
    ),
  );
}
