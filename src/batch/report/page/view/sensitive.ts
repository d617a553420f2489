import type { BatchFile } from '../../../../api/batch-report.js';
import { revealInLine } from '../../../../web/reveal-controls.js';
import { type Child, h } from '../../../../web/view/element.js';
import { prose } from '../../../../web/view/prose.js';
import { icon } from './icon.js';

type Sensitive = Pick<BatchFile, 'sensitive'>;

/** Renders the mark of a sensitive file. The reason is in its title. */
export function sensitiveBadge({ sensitive }: Sensitive): Child {
  if (sensitive === undefined) return undefined;
  return h('span', { class: 'note is-warning', title: revealInLine(sensitive) }, 'sensitive');
}

/** Renders the mark of a sensitive file with the reason beside it. */
export function sensitiveNote(file: Sensitive): readonly Child[] {
  if (file.sensitive === undefined) return [];
  return [
    sensitiveBadge(file),
    h('span', { class: 'reason dim', dir: 'auto' }, ...prose(file.sensitive)),
  ];
}

export function sensitiveBanner({ sensitive }: Sensitive): Child {
  if (sensitive === undefined) return undefined;
  return h(
    'div',
    { class: 'banner is-sensitive', role: 'note' },
    icon('warning'),
    h(
      'div',
      {},
      h('strong', {}, 'Sensitive: '),
      h('span', { dir: 'auto' }, ...prose(sensitive)),
      h('p', {}, 'Read the change before you run anything in this folder.'),
    ),
  );
}
