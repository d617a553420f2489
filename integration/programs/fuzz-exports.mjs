/**
 * Calls every function that the package exports with wrong values, and prints what is no `ProviderError` as JSON.
 * Arguments: the seed and the number of calls. The current folder must be a temporary one without a CLI.
 * With FUZZ_TRACE in the environment, each call is written to stderr before it is made.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AcpAgentProvider,
  AgentPool,
  GeminiCliProvider,
  ProviderError,
  ProviderRegistry,
  registerGeminiCli,
} from 'gemini-cli-provider';
import { QueuedProvider, StepQueue } from 'gemini-cli-provider/queue';

/** A store that refuses connections at once. */
const NO_STORE = { queue: 'redis://127.0.0.1:1', connectTimeout: 0.1 };

const [seed = 1, calls = 1] = process.argv.slice(2).map(Number);
const isTraced = process.env['FUZZ_TRACE'] !== undefined;
const root = join(import.meta.dirname, '../..');
const LONGEST_CALL_MS = 10_000;

let state = seed;
/** Returns a number from 0 to 1 by the algorithm mulberry32, the same numbers for the same seed. */
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}

/**
 * @template T
 * @param {readonly [T, ...T[]]} list
 * @returns {T}
 */
function choose(list) {
  return list[Math.floor(random() * list.length)] ?? list[0];
}

execFileSync('mkfifo', ['fifo.jsonl', 'fifo.json', 'fifo.yaml']);
const TEXT_9_MB = 'x'.repeat(9_000_000);
const cyclic = () => {
  /** @type {Record<string, unknown>} */
  const object = { id: 'a', prompt: 'x' };
  object['self'] = object;
  object['list'] = [object];
  return object;
};
const fail = () => {
  throw new TypeError('A trap of the caller');
};
const deep = () => {
  /** @type {unknown[]} */
  let value = [];
  for (let level = 0; level < 20_000; level++) value = [value];
  return value;
};
/** @param {object} target */
const revoked = (target) => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};

/**
 * Makers of values, so that no call sees what another has changed.
 * @type {Readonly<Record<string, () => unknown>>}
 */
const VALUES = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  false: () => false,
  NaN: () => Number.NaN,
  infinity: () => Number.POSITIVE_INFINITY,
  negative: () => -1,
  zero: () => 0,
  one: () => 1,
  fraction: () => 1.5,
  huge: () => 2 ** 53,
  bigint: () => 1n,
  symbol: () => Symbol('s'),
  empty: () => '',
  text: () => 'text',
  nul: () => 'a\0b',
  surrogate: () => '\ud800',
  '9 MB text': () => TEXT_9_MB,
  'long path': () => `/${'a/'.repeat(5000)}`,
  fifo: () => choose(['fifo.jsonl', './fifo.json', 'fifo.yaml']),
  device: () => choose(['/dev/zero', '/dev/null/', '/dev/tty']),
  folder: () => choose(['.', '/', './nowhere/x.jsonl', 'nowhere.yaml']),
  function: () => () => 5,
  'throwing function': () => fail,
  class: () => class {},
  'async function': () => async () => 5,
  list: () => [],
  'list of nothing': () => [undefined, null],
  'list of texts': () => ['a', 'b'],
  'sparse list': () => new Array(2e6),
  'huge sparse list': () => new Array(2 ** 32 - 1),
  'dense list': () => new Array(300_000).fill(0),
  object: () => ({}),
  'no prototype': () => Object.create(null),
  cyclic,
  deep,
  getter: () => Object.defineProperty({}, 'text', { get: fail, enumerable: true }),
  'list with getter': () => Object.defineProperty([1], 0, { get: fail, enumerable: true }),
  proxy: () => new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail }),
  'function proxy': () => new Proxy(() => {}, { get: fail, apply: fail }),
  'revoked proxy': () => revoked({}),
  'revoked list': () => revoked([]),
  toJSON: () => ({ toJSON: fail }),
  toString: () => ({ toString: fail, [Symbol.toPrimitive]: fail }),
  iterator: () => ({ [Symbol.iterator]: fail }),
  'endless iterable': () => ({
    *[Symbol.iterator]() {
      for (;;) yield { id: 'a', type: 'user', content: 'x' };
    },
  }),
  'async iterable': () => ({ async *[Symbol.asyncIterator]() {} }),
  map: () => new Map([['a', 1]]),
  date: () => new Date(Number.NaN),
  regexp: () => /(a+)+$/,
  prototype: () => JSON.parse('{"__proto__":{"harm":1},"constructor":{"prototype":{"harm":1}}}'),
  error: () => new Error('x'),
  buffer: () => Buffer.from('x'),
  url: () => new URL('file:///tmp'),
  signal: () => new AbortController().signal,
  'aborted signal': () => AbortSignal.abort(),
  'like a signal': () => ({ aborted: false, addEventListener: fail }),
  timer: () => 2 ** 31,
};
/** Keys of options, plans, scripts and messages. */
const KEYS =
  'projectDir geminiHome limit subagents counts signal extras skipExisting pollIntervalMs debounceMs out fresh provider config baseDir concurrency maxDuration failFast settings ask cliPath workingDir env secrets expects resume timeout allowedTools includeDirectories systemPrompt logger pool transport onPermission command args name metadata create maxProcesses idleShutdown code message hint cause partial problems projectRoot promptFile messages header id type content toolCalls thoughts tokens timestamp steps defaults vars prompt needs for inputs isolation turns attempts text usage error latencyMs status hash'.split(
    ' ',
  );

const VALUE_COUNT = Object.keys(VALUES).length;
/** @param {number} length */
const index = (length) => Math.floor(random() * length);

/** Makes a value, alone or inside of objects and lists that look right. Returns it with its description. */
function make() {
  const [name = '', makeValue = () => undefined] = Object.entries(VALUES)[index(VALUE_COUNT)] ?? [];
  const value = makeValue();
  const key = KEYS[index(KEYS.length)] ?? 'text';
  const shape = random();
  if (shape < 0.4) return { value, name };
  if (shape < 0.65) return { value: { [key]: value }, name: `{ ${key}: ${name} }` };
  const step = { id: 'a', prompt: 'x', [key]: value };
  if (shape < 0.72) return { value: [step], name: `[step with ${key}: ${name}]` };
  if (shape < 0.79)
    return { value: { steps: [step] }, name: `{ steps: [step with ${key}: ${name}] }` };
  if (shape < 0.86) return { value: [{ [key]: value }], name: `[{ ${key}: ${name} }]` };
  const message = { id: 'a', type: choose(['user', 'gemini', 'info']), content: 'x', [key]: value };
  if (shape < 0.93)
    return { value: { messages: [message] }, name: `{ messages: [${key}: ${name}] }` };
  const turn = { text: 'x', [key]: value };
  return { value: [{ turns: [turn] }], name: `[{ turns: [${key}: ${name}] }]` };
}

/**
 * Returns a method of a value, bound to the value. Undefined if there is none.
 * @param {unknown} value
 * @param {PropertyKey} name
 * @returns {((...args: unknown[]) => unknown) | undefined}
 */
function methodOf(value, name) {
  if (typeof value !== 'object' || value === null) return undefined;
  const method = Reflect.get(value, name);
  return typeof method === 'function' ? (...args) => Reflect.apply(method, value, args) : undefined;
}

/**
 * Waits for a result: of a promise, the first item of a generator, a batch. Closes what has to be closed.
 * @param {unknown} result
 */
async function settle(result) {
  const cancel = methodOf(result, 'cancel');
  if (cancel !== undefined) setTimeout(cancel, 200);
  const next = methodOf(result, 'next');
  if (next !== undefined && methodOf(result, Symbol.asyncIterator) !== undefined) {
    const first = Promise.resolve(next());
    const isOver = await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 20))]);
    if (isOver !== undefined) return;
    // A watch may wait for its file for ever.
    first.catch(() => {});
    Promise.resolve(methodOf(result, 'return')?.()).catch(() => {});
    return;
  }
  const close = methodOf(await result, 'close');
  await close?.();
  await close?.();
}

/**
 * @typedef {object} Callable
 * @property {string} name
 * @property {(...args: unknown[]) => unknown} call
 */

/**
 * Lists what can be called: a function; of a class the constructor, its functions, and its methods on an instance that
 * works. Methods that the types do not have are internal.
 * @param {string} name
 * @param {Function} exported
 * @returns {Callable[]}
 */
function listCallables(name, exported) {
  if (!/^class\b/.test(Function.prototype.toString.call(exported))) {
    return [{ name, call: (...args) => Reflect.apply(exported, undefined, args) }];
  }
  const instance = INSTANCES[name];
  if (instance === undefined) throw new Error(`The class ${name} needs an entry in INSTANCES`);
  const types = readFileSync(join(root, 'dist/types', instance.types), 'utf8');
  const isPublic = (/** @type {string} */ method) => new RegExp(`\\b${method}[(<]`).test(types);
  const statics = Object.getOwnPropertyNames(exported).filter((key) => {
    return typeof Reflect.get(exported, key) === 'function';
  });
  /** @type {Set<string>} */
  const methods = new Set();
  for (let at = exported.prototype; ![Object.prototype, Error.prototype].includes(at); ) {
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value === 'function' && key !== 'constructor' && isPublic(key)) methods.add(key);
    }
    at = Object.getPrototypeOf(at);
  }
  return [
    { name: `new ${name}`, call: (...args) => Reflect.construct(exported, args) },
    ...statics.map((key) => ({
      name: `${name}.${key}`,
      call: (/** @type {unknown[]} */ ...args) =>
        Reflect.apply(Reflect.get(exported, key), exported, args),
    })),
    ...[...methods].map((key) => ({
      name: `${name}#${key}`,
      call: (/** @type {unknown[]} */ ...args) => methodOf(instance.create(), key)?.(...args),
    })),
  ];
}

/** @type {Readonly<Record<string, { readonly types: string, create(): object }>>} */
const INSTANCES = {
  AgentPool: { types: 'agents/acp/agent-pool.d.ts', create: () => new AgentPool() },
  GeminiCliProvider: { types: 'step/step-provider.d.ts', create: () => new GeminiCliProvider() },
  AcpAgentProvider: {
    types: 'step/step-provider.d.ts',
    create: () => new AcpAgentProvider({ command: '/nowhere/agent' }),
  },
  ProviderRegistry: {
    types: 'step/registry.d.ts',
    create: () => registerGeminiCli(new ProviderRegistry()),
  },
  ProviderError: {
    types: 'base/errors/provider-error.d.ts',
    create: () => new ProviderError({ code: 'UNKNOWN', message: 'x' }),
  },
  QueuedProvider: {
    types: 'queue/provider/queued-provider.d.ts',
    create: () => new QueuedProvider(NO_STORE),
  },
  StepQueue: { types: 'queue/step-queue.d.ts', create: () => new StepQueue(NO_STORE) },
};

const STEPS = [{ id: 'a', prompt: 'x' }];
/**
 * First arguments that are right, by the name of the function.
 * @type {Readonly<Record<string, unknown>>}
 */
const RIGHT = {
  generate: 'x',
  stream: 'x',
  create: 'gemini-cli',
  metadata: 'gemini-cli',
  register: { metadata: { name: 'other' }, create: () => ({}) },
  readPlan: 'plan.json',
  runBatch: STEPS,
  readSession: 'session.jsonl',
  watchSession: './session.jsonl',
  getMessages: './session.jsonl',
  findSessionFile: 'latest',
  projectName: '.',
  toUnifiedMessages: [{ id: 'a', type: 'user', content: 'x' }],
  startScriptedModel: [{ text: 'x' }],
};
writeFileSync('plan.json', JSON.stringify({ steps: STEPS }));
const header = { sessionId: 's', projectHash: 'h', startTime: '2026-01-01T00:00:00.000Z' };
writeFileSync('session.jsonl', `${JSON.stringify(header)}\n`);

/** Names of everything that all objects, lists, functions and errors inherit. */
function snapshotPrototypes() {
  return [Object, Array, Function, Error, Promise]
    .flatMap(({ prototype }) => Reflect.ownKeys(prototype).map(String))
    .join();
}
const PROTOTYPES = snapshotPrototypes();

/** @type {{ call: string, error: string }[]} */
const failures = [];
let current = '';
/** @param {unknown} error */
const report = (error) => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  failures.push({ call: current, error: text.slice(0, 1500) });
};
process.on('unhandledRejection', report);
process.on('uncaughtException', report);
process.on('warning', (warning) => {
  if (warning.name === 'MaxListenersExceededWarning') report(warning);
});

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.json'));
const modules = await Promise.all(
  entries.map((entry) => import(`gemini-cli-provider${entry.slice(1)}`)),
);
const callables = modules.flatMap((module) => {
  return (
    Object.entries(module)
      // With options that are right, these functions start a server: their unit tests try the wrong ones.
      .filter(([name]) => name !== 'startEmbeddedPostgres' && name !== 'startRemote')
      .flatMap(([name, value]) => listCallables(name, value))
  );
});

/**
 * Makes one call and waits for it.
 * @param {Callable} callable
 * @param {readonly unknown[]} args
 * @returns {Promise<string>} code of the error, or what happened
 */
async function tryCall({ call }, args) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, LONGEST_CALL_MS, 'late');
  });
  try {
    const outcome = await Promise.race([(async () => settle(call(...args)))(), late]);
    if (outcome === 'late') report('The call hangs');
    return 'returned';
  } catch (error) {
    if (ProviderError.isInstance(error) && error.code !== 'UNKNOWN') return error.code;
    report(error);
    return 'other';
  } finally {
    clearTimeout(timer);
  }
}

/** @type {Record<string, number>} */
const counts = {};
for (let number = 0; number < calls; number++) {
  const callable = callables[number % callables.length];
  if (callable === undefined) break;
  const { name } = callable;
  const args = Array.from({ length: 1 + index(3) }, make);
  const right = RIGHT[name.split(/[#.]/).at(-1) ?? ''];
  // A wrong second argument is only looked at if the first one is right.
  if (right !== undefined && random() < 0.4) args[0] = { value: right, name: 'right' };
  current = `${name}(${args.map((arg) => arg.name).join(', ')})`;
  if (isTraced) process.stderr.write(`${number} ${current}\n`);
  const outcome = await tryCall(
    callable,
    args.map(({ value }) => value),
  );
  counts[outcome] = (counts[outcome] ?? 0) + 1;
  if (snapshotPrototypes() !== PROTOTYPES) report('The call has changed a prototype');
}
const names = callables.map(({ name }) => name);
process.stdout.write(JSON.stringify({ names, counts, failures }), () => process.exit(0));
