import type { TokenCounts } from '../../../../api/result.js';
import { formatUsd } from '../../../../base/usage/describe-cost.js';
import { formatCompact, formatNumber } from '../../../../web/model/format.js';
import { h } from '../../../../web/view/element.js';
import type { PageModel } from '../model/page-model.js';
import { ALL_STEPS } from '../model/route.js';
import { sortSteps } from '../model/step-list.js';
import { modelsOfBatch, modelsOfStep, splitTokens, tokensOfStep } from '../model/step-tokens.js';
import { link, name, stepLink } from './name.js';

const STEPS_SHOWN = 12;
const DISTINCT_MODELS = 6;

export interface BarPart {
  readonly size: number;
  readonly className: string;
  readonly label: string;
}

/** Parts side by side; the whole width stands for `whole`. */
export function bar(parts: readonly BarPart[], whole: number): HTMLElement {
  const track = h('span', { class: 'bar-track', 'aria-hidden': 'true' });
  for (const { size, className, label } of parts) {
    if (size <= 0 || whole <= 0) continue;
    const part = h('span', { class: `bar-part ${className}`, title: label });
    part.style.width = `${Math.min(100, (size / whole) * 100)}%`;
    track.append(part);
  }
  return track;
}

const PARTS: readonly {
  readonly key: keyof ReturnType<typeof splitTokens>;
  readonly word: string;
}[] = [
  { key: 'fresh', word: 'input' },
  { key: 'cached', word: 'cached input' },
  { key: 'output', word: 'output' },
  { key: 'other', word: 'thinking and tools' },
];

export function tokenParts(counts: TokenCounts): readonly BarPart[] {
  const split = splitTokens(counts);
  return PARTS.map(({ key, word }) => ({
    size: split[key],
    className: `part-${key}`,
    label: `${word}: ${formatNumber(split[key])}`,
  }));
}

export function tokenSection(model: PageModel): HTMLElement | undefined {
  const models = modelsOfBatch(model.report);
  const greatest = sortSteps(model.report.steps, 'tokens').slice(0, STEPS_SHOWN);
  const most = greatest[0] === undefined ? 0 : tokensOfStep(greatest[0]).total;
  if (models.length === 0 && most === 0) return undefined;
  const colourOf = new Map(models.map(({ model: id }, index) => [id, index % DISTINCT_MODELS]));
  return h(
    'section',
    { class: 'panel', 'aria-labelledby': 'tokens-title' },
    h('h2', { id: 'tokens-title' }, 'Tokens'),
    h('h3', {}, 'By model'),
    h(
      'ul',
      { class: 'legend' },
      ...PARTS.map(({ key, word }) => h('li', {}, swatch(`part-${key}`), word)),
    ),
    h(
      'ul',
      { class: 'bars' },
      ...models.map((counts) =>
        barRow(
          name(counts.model),
          bar(tokenParts(counts), models[0]?.total ?? 0),
          counts,
          model.report.cost?.byModel[counts.model],
        ),
      ),
    ),
    h('h3', {}, 'By step'),
    models.length > 1 &&
      h(
        'ul',
        { class: 'legend' },
        ...models.map(({ model: id }) =>
          h('li', {}, swatch(`model-${colourOf.get(id) ?? 0}`), name(id)),
        ),
      ),
    h(
      'ul',
      { class: 'bars' },
      ...greatest
        .map((step) => ({ step, counts: tokensOfStep(step) }))
        .filter(({ counts }) => counts.total > 0)
        .map(({ step, counts }) => {
          const parts = modelsOfStep(step).map(({ model: id, total }) => ({
            size: total,
            className: `model-${colourOf.get(id) ?? 0}`,
            label: `${id}: ${formatNumber(total)}`,
          }));
          const known = parts.length > 0 ? parts : tokenParts(counts);
          return barRow(stepLink(step.id), bar(known, most), counts);
        }),
    ),
    model.report.steps.length > STEPS_SHOWN &&
      h(
        'p',
        {},
        link(
          { ...ALL_STEPS, order: 'tokens' },
          {},
          `All ${formatNumber(model.report.steps.length)} steps by tokens`,
        ),
      ),
  );
}

/** Shows a name, a bar and the tokens. `usd` is the estimated cost by list price. */
function barRow(
  title: HTMLElement,
  track: HTMLElement,
  counts: TokenCounts,
  usd?: number | undefined,
): HTMLElement {
  const parts = `${formatNumber(counts.input)} in (${formatNumber(counts.cached)} cached), ${formatNumber(counts.output)} out, ${formatNumber(counts.thoughts)} thoughts`;
  const cost = usd === undefined ? '' : ` · ${formatUsd(usd)}`;
  return h(
    'li',
    { class: 'bar-row' },
    h('span', { class: 'bar-name' }, title),
    track,
    h(
      'span',
      { class: 'bar-value', title: parts },
      `${formatCompact(counts.total)}${cost}`,
      h('span', { class: 'sr-only' }, ` tokens: ${parts}`),
    ),
  );
}

function swatch(className: string): HTMLElement {
  return h('span', { class: `dot ${className}`, 'aria-hidden': 'true' });
}
