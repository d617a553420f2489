import type { ProviderErrorData } from '../../../../api/error.js';
import type { StepReport } from '../../../../api/step-report.js';
import { formatDuration } from '../../../../web/model/format.js';
import { plainOutput } from '../../../../web/reveal-controls.js';
import { type Child, h } from '../../../../web/view/element.js';
import { longText } from '../../../../web/view/long-text.js';
import { prose } from '../../../../web/view/prose.js';
import { readableHint } from '../model/readable-hint.js';

/** Renders the error of a step with its hint, on the page of the step or elsewhere; undefined if the step has no error. */
export function failure({ error }: StepReport, isOnPageOfStep: boolean): HTMLElement | undefined {
  if (error === undefined) return undefined;
  return h(
    'div',
    { class: 'failure' },
    h(
      'p',
      { class: 'failure-message', dir: 'auto' },
      h('code', {}, error.code),
      ' ',
      ...prose(error.message),
      h('span', { class: 'dim' }, ` (${factsOf(error).join(', ')})`),
    ),
    error.hint !== '' &&
      h(
        'p',
        { class: 'failure-hint', dir: 'auto' },
        h('strong', {}, 'What to do: '),
        ...prose(readableHint(error, { isOnPageOfStep })),
      ),
    ...problemsOf(error),
    ...stderrOf(error),
  );
}

function factsOf(error: ProviderErrorData): readonly string[] {
  return [
    error.retryable ? 'retryable' : 'not retryable',
    error.retryAfterMs === undefined ? '' : `retry after ${formatDuration(error.retryAfterMs)}`,
    error.httpStatus === undefined ? '' : `HTTP ${error.httpStatus}`,
    error.exitCode === undefined ? '' : `exit code ${error.exitCode}`,
    error.signal ?? '',
    error.phase === undefined ? '' : `${error.phase} timeout`,
  ].filter(Boolean);
}

function problemsOf({ problems = [] }: ProviderErrorData): readonly Child[] {
  if (problems.length === 0) return [];
  return [
    h(
      'ul',
      { class: 'problems' },
      ...problems.map(({ key, problem }) => h('li', {}, h('code', {}, key), ' ', problem)),
    ),
  ];
}

function stderrOf({ stderrTail = '' }: ProviderErrorData): readonly Child[] {
  const text = plainOutput(stderrTail).trim();
  if (text === '') return [];
  return [h('details', {}, h('summary', {}, 'End of stderr'), longText(text, 'End of stderr'))];
}
