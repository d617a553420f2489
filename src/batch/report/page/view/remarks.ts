import type { StepReport } from '../../../../api/step-report.js';
import { formatCount } from '../../../../web/model/format.js';
import { h } from '../../../../web/view/element.js';
import { prose } from '../../../../web/view/prose.js';
import { showMore } from '../../../../web/view/show-more.js';

const REMARKS_AT_ONCE = 20;

export function warningList({ warnings }: StepReport): HTMLElement {
  return remarks(warnings, ({ code, message, count = 1 }) =>
    h(
      'li',
      { dir: 'auto' },
      h('code', {}, code),
      ' ',
      ...prose(message),
      count > 1 && h('span', { class: 'dim' }, ` (${formatCount(count, 'time')})`),
    ),
  );
}

export function deniedList({ deniedTools }: StepReport): HTMLElement {
  return remarks(deniedTools, ({ tool, reason, message, hint }) =>
    h(
      'li',
      { dir: 'auto' },
      h('code', {}, tool),
      h('span', { class: 'dim' }, ` ${reason.replace('_', ' ')} `),
      message,
      hint !== '' && h('p', {}, h('strong', {}, 'What to do: '), ...prose(hint)),
    ),
  );
}

function remarks<T>(items: readonly T[], render: (item: T) => HTMLElement): HTMLElement {
  return showMore(h('ul', { class: 'remarks' }), items, REMARKS_AT_ONCE, render);
}
