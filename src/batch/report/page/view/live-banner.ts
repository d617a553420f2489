import { formatLater } from '../../../../web/model/format.js';
import { button, h } from '../../../../web/view/element.js';
import type { PageModel } from '../model/page-model.js';
import type { AutoReload } from './auto-reload.js';
import { icon } from './icon.js';

/** Renders the remark of a page that was written while the batch was running: its time, and how to see newer data. */
export function liveBanner(model: PageModel, reload: AutoReload): HTMLElement | undefined {
  const { report, writtenAt } = model;
  if (report.outcome !== 'running') return undefined;
  const toggle = button('', () => {
    reload.setOn(!reload.isOn);
    show();
  });
  const show = (): void => {
    toggle.textContent = reload.isOn ? 'Pause reloading' : 'Reload automatically';
  };
  show();
  return h(
    'div',
    { class: 'banner is-running live', role: 'note' },
    icon('running'),
    h(
      'div',
      {},
      h('strong', {}, 'The batch is running. '),
      'This page shows its state at ',
      h('time', { datetime: writtenAt }, formatLater(writtenAt, report.startedAt)),
      '.',
    ),
    h(
      'div',
      { class: 'live-buttons' },
      button('Reload', () => reload.now()),
      toggle,
    ),
  );
}
