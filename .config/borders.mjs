/**
 * The borders of the source tree: which wing may import which, and where each third-party library lives.
 * dependency-cruiser reads the imports; the functions here compare them with these two tables.
 */
import { cruise } from 'dependency-cruiser';

/** Wing → wings that its files may import. A permission that no file uses is an error, too. */
export const WINGS = {
  api: [],
  base: ['api'],
  config: ['api', 'base'],
  sessions: ['api', 'base'],
  agents: ['api', 'base', 'config', 'sessions'],
  step: ['api', 'base', 'config', 'sessions', 'agents'],
  web: ['api'],
  batch: ['api', 'base', 'config', 'step', 'web'],
  queue: ['api', 'base', 'config', 'step', 'batch'],
  engines: ['api', 'base', 'config', 'sessions', 'step', 'batch'],
  telemetry: ['api', 'base'],
  remote: ['api', 'base', 'config', 'sessions', 'agents', 'web'],
  cli: [
    'api',
    'base',
    'config',
    'sessions',
    'agents',
    'step',
    'batch',
    'queue',
    'engines',
    'telemetry',
    'testing',
    'web',
    'remote',
  ],
  testing: ['api', 'base'],
};

/** Library → the folders below src that may import the library. */
export const LIBRARIES = {
  '@agentclientprotocol/sdk': ['agents/acp'],
  '@ai-sdk/provider': ['engines/ai-sdk'],
  '@fastify/helmet': ['remote/server'],
  '@fastify/rate-limit': ['remote/server'],
  '@streamparser/json': ['sessions/files'],
  ajv: ['config'],
  bullmq: ['queue/store'],
  commander: ['cli'],
  'cross-spawn': ['base/process'],
  diff: ['base/fs'],
  execa: ['base/process'],
  fastify: ['remote/server'],
  ioredis: ['queue/store'],
  'highlight.js': ['web/view'],
  ignore: ['base/fs'],
  leven: ['base'],
  marked: ['remote/page'],
  'p-timeout': ['base/process'],
  pg: ['queue/store'],
  picocolors: ['cli'],
  picomatch: ['base/fs'],
  pino: ['config'],
  '@modelcontextprotocol/server': ['engines/mcp'],
  '@opentelemetry/api': ['telemetry'],
  '@opentelemetry/exporter-metrics-otlp-http': ['telemetry/otlp'],
  '@opentelemetry/exporter-trace-otlp-http': ['telemetry/otlp'],
  '@opentelemetry/resources': ['telemetry/otlp'],
  '@opentelemetry/sdk-metrics': ['telemetry/otlp'],
  '@opentelemetry/sdk-trace-base': ['telemetry/otlp'],
  preact: ['remote/page'],
  'strip-json-comments': ['base/json'],
  tinyglobby: ['batch/plan'],
  uqr: ['cli'],
  'web-push': ['remote/server'],
  yaml: ['batch/plan'],
  // Unknown data is parsed at the border of each of these wings.
  zod: ['config', 'sessions', 'agents', 'batch', 'queue', 'engines', 'remote'],
};

/**
 * @typedef {object} Import
 * @property {string} from path of the importing file, below src
 * @property {string} to path of the imported file below src, or the name of a library
 * @property {boolean} isLibrary
 */

/**
 * Reads every import below src, type imports included.
 * @returns {Promise<{ imports: Import[], cycles: string[] }>}
 */
export async function readImports() {
  const { output } = await cruise(['src'], {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  });
  if (typeof output === 'string') throw new Error('dependency-cruiser returned text, not modules');
  /** @type {Import[]} */
  const imports = [];
  const cycles = new Set();
  for (const { source, dependencies } of output.modules) {
    if (!source.startsWith('src/')) continue;
    for (const { resolved, module, dependencyTypes, circular, cycle } of dependencies) {
      if (dependencyTypes.includes('core')) continue;
      const from = source.slice('src/'.length);
      const isLibrary = !resolved.startsWith('src/');
      imports.push({
        from,
        to: isLibrary ? packageOf(module) : resolved.slice('src/'.length),
        isLibrary,
      });
      if (circular) {
        const files = new Set([source, ...(cycle ?? []).map(({ name }) => name)]);
        cycles.add([...files].sort().join(' ↔ '));
      }
    }
  }
  return { imports, cycles: [...cycles] };
}

/**
 * Compares imports with the two tables. Returns one line for each problem.
 * @param {readonly Import[]} imports
 * @param {Readonly<Record<string, readonly string[]>>} wings
 * @param {Readonly<Record<string, readonly string[]>>} libraries
 * @returns {string[]}
 */
export function findBorderProblems(imports, wings = WINGS, libraries = LIBRARIES) {
  const problems = [];
  const unusedWings = new Set(
    Object.entries(wings).flatMap(([wing, may]) => may.map((to) => `${wing} → ${to}`)),
  );
  const unusedHomes = new Set(
    Object.entries(libraries).flatMap(([name, homes]) => homes.map((home) => `${name} in ${home}`)),
  );
  for (const { from, to, isLibrary } of imports) {
    if (isLibrary) {
      const home = (libraries[to] ?? []).find((folder) => from.startsWith(`${folder}/`));
      if (home === undefined)
        problems.push(
          `src/${from} imports ${to}, which lives in ${libraries[to]?.join(', ') ?? 'no wing'}`,
        );
      else unusedHomes.delete(`${to} in ${home}`);
      continue;
    }
    const wing = wingOf(from);
    const target = wingOf(to);
    if (wing === undefined || wing === target) continue;
    const may = wings[wing];
    if (may === undefined) problems.push(`src/${from}: the wing ${wing} is not in the table`);
    else if (target === undefined || !may.includes(target))
      problems.push(
        `src/${from} imports src/${to}: ${wing} may import ${may.join(', ') || 'nothing'}`,
      );
    else unusedWings.delete(`${wing} → ${target}`);
  }
  for (const permission of unusedWings)
    problems.push(`No import uses the permission ${permission}`);
  for (const home of unusedHomes) problems.push(`No import uses the home of ${home}`);
  return problems;
}

/**
 * Returns the picture of the wings and the table of borders as Markdown.
 * @param {readonly Import[]} imports
 * @returns {string}
 */
export function drawBorders(imports) {
  /** @type {Set<string>} */
  const arrows = new Set();
  for (const { from, to, isLibrary } of imports) {
    const wing = wingOf(from);
    const target = wingOf(to);
    if (isLibrary || wing === undefined || target === undefined || wing === target) continue;
    // Arrows from every wing to api would hide the others, so only the table has them.
    if (target !== 'api') arrows.add(`  ${wing} --> ${target}`);
  }
  const rows = Object.entries(WINGS).map(([wing, may]) => {
    const own = Object.entries(LIBRARIES).filter(([, homes]) =>
      homes.some((home) => wingOf(`${home}/`) === wing),
    );
    return `| [\`${wing}\`](${wing}/README.md) | ${may.join(', ') || 'nothing'} | ${own.map(([name]) => name).join(', ') || 'none'} |`;
  });
  return [
    '```mermaid',
    'flowchart BT',
    ...[...arrows].sort(),
    '```',
    '',
    'An arrow leads from the importing wing to the imported one. Every wing also imports the types in `api`.',
    '',
    '| wing | may import | libraries |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

const BEGIN = '<!-- wings:begin -->';
const END = '<!-- wings:end -->';

/**
 * Puts the drawing between the two markers of a Markdown text.
 * @param {string} text
 * @param {string} drawing
 */
export function insertDrawing(text, drawing) {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`The text lacks ${BEGIN} and ${END}`);
  return `${text.slice(0, begin + BEGIN.length)}\n${drawing}\n${text.slice(end)}`;
}

/**
 * Returns the wing of a path. Entry files directly below src belong to no wing and may import every wing.
 * @param {string} path
 */
function wingOf(path) {
  const slash = path.indexOf('/');
  return slash < 0 ? undefined : path.slice(0, slash);
}

/** @param {string} module */
function packageOf(module) {
  return module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');
}
