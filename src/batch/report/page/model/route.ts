import type { FileChangeKind } from '../../../../api/manifest.js';
import type { StepState } from '../../../../api/step-report.js';

export const STEP_STATES: readonly StepState[] = [
  'failed',
  'cancelled',
  'skipped',
  'running',
  'merging',
  'pending',
  'succeeded',
];
export const FILE_KINDS: readonly FileChangeKind[] = [
  'created',
  'modified',
  'deleted',
  'unchanged',
];
export const STEP_ORDERS = ['plan', 'duration', 'tokens', 'attempts'] as const;

export type StepOrder = (typeof STEP_ORDERS)[number];
export type FileFilter = FileChangeKind | 'conflicts' | 'sensitive';

export interface StepsRoute {
  readonly view: 'steps';
  readonly query: string;
  readonly state?: StepState | undefined;
  readonly order: StepOrder;
}

export interface FilesRoute {
  readonly view: 'files';
  readonly query: string;
  readonly filter?: FileFilter | undefined;
}

/** Route of the view that fills the page. */
export type BaseRoute = { readonly view: 'overview' } | StepsRoute | FilesRoute;

/** Route of the panel over the view. */
export type DetailRoute =
  | { readonly view: 'step'; readonly id: string }
  | { readonly view: 'file'; readonly path: string };

export type Route = BaseRoute | DetailRoute;

export const OVERVIEW: BaseRoute = { view: 'overview' };
export const ALL_STEPS: StepsRoute = { view: 'steps', query: '', order: 'plan' };
export const ALL_FILES: FilesRoute = { view: 'files', query: '' };

export function isDetail(route: Route): route is DetailRoute {
  return route.view === 'step' || route.view === 'file';
}

/** Returns the route of a URL hash. An unknown hash gives the overview. */
export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#/, '');
  if (text.startsWith('step/')) return { view: 'step', id: decode(text.slice(5)) };
  if (text.startsWith('file/')) return { view: 'file', path: decode(text.slice(5)) };
  const [view, parameters] = splitOnce(text, '?');
  const given = new URLSearchParams(parameters);
  const query = given.get('q') ?? '';
  if (view === 'steps') {
    const state = STEP_STATES.find((name) => name === given.get('state'));
    const order = STEP_ORDERS.find((name) => name === given.get('sort')) ?? 'plan';
    return { view, query, state, order };
  }
  if (view === 'files') {
    const kinds: readonly FileFilter[] = [...FILE_KINDS, 'conflicts', 'sensitive'];
    return { view, query, filter: kinds.find((name) => name === given.get('kind')) };
  }
  return OVERVIEW;
}

export function formatRoute(route: Route): string {
  switch (route.view) {
    case 'step':
      return `#step/${encode(route.id)}`;
    case 'file':
      return `#file/${encode(route.path)}`;
    case 'steps':
      return withParameters('#steps', {
        state: route.state,
        sort: route.order === 'plan' ? undefined : route.order,
        q: route.query,
      });
    case 'files':
      return withParameters('#files', { kind: route.filter, q: route.query });
    case 'overview':
      return '#overview';
  }
}

function withParameters(
  hash: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const given = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) if (value) given.set(key, value);
  const text = given.toString();
  return text === '' ? hash : `${hash}?${text}`;
}

/**
 * Encodes a name for the hash. Slashes stay readable. `encodeURIComponent` throws on a lone surrogate: U+FFFD
 * replaces it.
 */
function encode(name: string): string {
  const whole = name.replace(/[\ud800-\udfff]/gu, '\ufffd');
  return encodeURIComponent(whole).replaceAll('%2F', '/');
}

/** Decodes a name from the hash. A hash typed by hand may contain a bare `%`: then the text stays as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
