import { h } from '../../../../web/view/element.js';
import type { PageModel } from '../model/page-model.js';
import type { BaseRoute, DetailRoute } from '../model/route.js';
import type { SearchIndex } from '../model/search.js';
import { filterFiles, filterSteps } from '../model/step-list.js';
import type { DrawerContent } from './drawer.js';
import { fileDetail } from './file-detail.js';
import { icon } from './icon.js';
import { name, pathName } from './name.js';
import { stepDetail } from './step-detail.js';

/** Returns the content of the panel for a route, with links to the neighbours in the list behind the panel. */
export function detailContent(
  model: PageModel,
  search: SearchIndex,
  base: BaseRoute,
  route: DetailRoute,
): DrawerContent {
  if (route.view === 'step') {
    const step = model.stepById.get(route.id);
    if (step === undefined) return missing('step', route.id);
    const steps = base.view === 'steps' ? filterSteps(search, base) : model.report.steps;
    return {
      title: h('span', {}, icon(step.state, step.state), name(step.id)),
      children: stepDetail(model, step),
      ...neighbours(steps, step, ({ id }) => ({ view: 'step', id })),
    };
  }
  const file = model.fileByPath.get(route.path);
  if (file === undefined) return missing('file', route.path);
  const files = base.view === 'files' ? filterFiles(search, base) : model.files;
  return {
    title: pathName(file.path),
    children: fileDetail(model, file),
    ...neighbours(files, file, ({ path }) => ({ view: 'file', path })),
  };
}

function neighbours<T>(list: readonly T[], item: T, routeTo: (item: T) => DetailRoute) {
  const at = list.indexOf(item);
  const [before, after] = at === -1 ? [] : [list[at - 1], list[at + 1]];
  return {
    previous: before === undefined ? undefined : routeTo(before),
    next: after === undefined ? undefined : routeTo(after),
  };
}

function missing(what: 'step' | 'file', key: string): DrawerContent {
  return {
    title: name(key),
    children: [h('p', { class: 'empty' }, `The report has no ${what} of this name.`)],
  };
}
