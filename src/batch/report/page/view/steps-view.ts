import { formatNumber } from '../../../../web/model/format.js';
import { h } from '../../../../web/view/element.js';
import {
  formatRoute,
  STEP_ORDERS,
  STEP_STATES,
  type StepOrder,
  type StepsRoute,
} from '../model/route.js';
import type { SearchIndex } from '../model/search.js';
import { filterSteps } from '../model/step-list.js';
import { tokensOfStep } from '../model/step-tokens.js';
import { filterBar } from './filter-bar.js';
import { icon } from './icon.js';
import { listView } from './list-view.js';
import { stepColumns, stepRow } from './step-row.js';
import type { View } from './view.js';

export function stepsView(search: SearchIndex, route: StepsRoute): View {
  const steps = filterSteps(search, route);
  const mostTokens = steps.reduce((most, step) => Math.max(most, tokensOfStep(step).total), 0);
  return listView({
    title: `Steps, ${formatNumber(steps.length)} shown`,
    tools: [stateFilter(search, route), orderChoice(route)],
    columns: stepColumns(),
    items: steps,
    emptyText: route.query === '' ? 'No step is in this state.' : 'No step matches the search.',
    hasSnippets: route.query !== '',
    keyOf: ({ id }) => id,
    renderRow: (step) => stepRow(step, route.query, mostTokens),
  });
}

function stateFilter(search: SearchIndex, route: StepsRoute): HTMLElement {
  const found = search.findSteps(route.query);
  const states = STEP_STATES.map((state) => ({
    state,
    count: found.filter((step) => step.state === state).length,
  })).filter(({ state, count }) => count > 0 || state === route.state);
  return filterBar('Filter by state', [
    {
      route: { ...route, state: undefined },
      label: 'all',
      count: found.length,
      isCurrent: route.state === undefined,
    },
    ...states.map(({ state, count }) => ({
      route: { ...route, state },
      label: state,
      count,
      isCurrent: route.state === state,
      sign: icon(state),
    })),
  ]);
}

const ORDER_WORDS: Readonly<Record<StepOrder, string>> = {
  plan: 'order of the plan',
  duration: 'longest first',
  tokens: 'most tokens first',
  attempts: 'most attempts first',
};

function orderChoice(route: StepsRoute): HTMLElement {
  const select = h(
    'select',
    {},
    ...STEP_ORDERS.map((order) =>
      h('option', { value: order, selected: order === route.order }, ORDER_WORDS[order]),
    ),
  );
  select.addEventListener('change', () => {
    const order = STEP_ORDERS.find((known) => known === select.value) ?? 'plan';
    location.hash = formatRoute({ ...route, order });
  });
  return h('label', { class: 'order' }, 'Sort ', select);
}
