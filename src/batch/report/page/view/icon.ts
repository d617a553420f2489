import type { BatchReport } from '../../../../api/batch-report.js';
import type { StepState } from '../../../../api/step-report.js';
import { svg } from '../../../../web/view/element.js';

type IconName = StepState | BatchReport['outcome'] | 'warning';

/** Shapes that differ even without colours. Each fills 16 by 16 units. */
const SHAPES: Readonly<Record<IconName, { readonly outline: string; readonly sign: string }>> = {
  succeeded: { outline: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Z', sign: 'M4.6 8.2 7 10.6l4.4-4.9' },
  failed: {
    outline: 'M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1Z',
    sign: 'm5.4 5.4 5.2 5.2m0-5.2-5.2 5.2',
  },
  skipped: { outline: 'M8 .9 15.1 8 8 15.1.9 8Z', sign: 'M5 8h6' },
  cancelled: {
    outline: 'M3.5 1.5h9a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2Z',
    sign: 'M5.5 5.5h5v5h-5Z',
  },
  pending: {
    outline: 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8Z',
    sign: 'M8 4.6V8l2.2 1.8',
  },
  running: {
    outline: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Z',
    sign: 'm6.4 4.8 5 3.2-5 3.2Z',
  },
  merging: {
    outline: 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8Z',
    sign: 'M5.4 4.8v6.4m0-4.8c0 3 5.2 1 5.2 4',
  },
  stopped: {
    outline: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Z',
    sign: 'M6.2 5.2v5.6m3.6-5.6v5.6',
  },
  warning: { outline: 'M8 1.4 15.4 14.6H.6Z', sign: 'M8 6v4.2m0 1.7v.3' },
};

/** Renders an icon. Without a label, screen readers skip it: the text beside it must say the same. */
export function icon(name: IconName, label?: string): SVGSVGElement {
  const { outline, sign } = SHAPES[name];
  const hidden = label === undefined;
  return svg(
    'svg',
    {
      class: `icon is-${name}`,
      viewBox: '0 0 16 16',
      role: hidden ? undefined : 'img',
      'aria-label': label,
      'aria-hidden': hidden ? 'true' : undefined,
    },
    svg('path', { class: 'icon-outline', d: outline }),
    svg('path', { class: 'icon-sign', d: sign }),
  );
}
