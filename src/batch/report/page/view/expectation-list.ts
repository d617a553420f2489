import type { ExpectationReport } from '../../../../api/expectations.js';
import { plainOutput } from '../../../../web/reveal-controls.js';
import { h } from '../../../../web/view/element.js';
import { longText } from '../../../../web/view/long-text.js';
import { prose } from '../../../../web/view/prose.js';
import { showMore } from '../../../../web/view/show-more.js';
import { icon } from './icon.js';
import { name } from './name.js';

const EXPECTATIONS_AT_ONCE = 20;

const WORDS: Readonly<Record<ExpectationReport['kind'], string>> = {
  files: 'files',
  contains: 'text contains',
  json: 'JSON',
  command: 'command',
  noChangesOutside: 'no changes outside',
  merge: 'merge',
};

/** Renders the conditions of a step: what was checked, and what was found where a condition is not met. */
export function expectationList(expectations: readonly ExpectationReport[]): HTMLElement {
  return showMore(
    h('ul', { class: 'remarks' }),
    expectations,
    EXPECTATIONS_AT_ONCE,
    expectationItem,
  );
}

function expectationItem({
  kind,
  name: what,
  passed,
  message = '',
  detail = '',
}: ExpectationReport) {
  const output = plainOutput(detail).trim();
  return h(
    'li',
    { class: 'expectation', dir: 'auto' },
    icon(passed ? 'succeeded' : 'failed', passed ? 'met' : 'not met'),
    h('span', { class: 'dim' }, `${WORDS[kind]} `),
    what !== '' && h('code', {}, name(what)),
    message !== '' && h('p', {}, ...prose(message)),
    output !== '' &&
      h(
        'details',
        { open: true },
        h('summary', {}, 'Details'),
        longText(output, `Details of ${WORDS[kind]} ${what}`),
      ),
  );
}
