import type { ConfigProblem } from '../../api/error.js';
import { isPlainObject } from '../../base/json/is-plain-object.js';
import { invalidConfig, toProblem } from '../../config/config-problem.js';

/** Options of a step that travel to the worker. All others stay at the caller, or are the worker's own affair. */
export const TRAVELLING_KEYS = [
  'model',
  'approvalMode',
  'allowedTools',
  'deniedTools',
  'allowRedirection',
  'protectedPaths',
  'timeout',
  'idleTimeout',
  'startTimeout',
  'maxCliAttempts',
  'promptDelivery',
  'expandAt',
  'systemPrompt',
  'resume',
  'sessionId',
  'workspaceScan',
  'expects',
  'repair',
  'maxCost',
  'prices',
  'permissionTimeout',
  'unattended',
] as const;

/** Name of an option that travels to the worker. */
export type TravellingKey = (typeof TRAVELLING_KEYS)[number];

/** Options that the worker decides by its own configuration. They have no effect at the caller. */
const WORKERS_OWN: readonly string[] = [
  'transport',
  'trustWorkspace',
  'compileCache',
  'processIsolation',
  'pool',
  'logger',
];

const REASONS: Readonly<Record<string, string>> = {
  env: 'is not sent to a worker, because its values may be secret: set the variables on the worker',
  secrets: 'is not sent to a worker: name the variables in the configuration of the worker',
  onPermission: 'is a function and cannot be sent to a worker',
  clientFiles: 'cannot be sent to a worker: files are read and written there',
  includeDirectories: 'names folders of this machine, which the worker does not have',
  keepArtifacts: 'names a folder of this machine, which the worker does not have',
};

/** Options of a step as JSON, for the worker. */
export type TravellingOptions = Readonly<Record<string, unknown>>;

/**
 * Picks the options that travel. Throws INVALID_CONFIG with the name of every option that must not or cannot travel. The
 * values are checked already.
 */
export function pickTravelling(values: Readonly<Record<string, unknown>>): TravellingOptions {
  const problems: ConfigProblem[] = [];
  const picked: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    if (key === 'workingDir' || WORKERS_OWN.includes(key)) continue;
    const problem = TRAVELLING.has(key) ? findFunction(value) : (REASONS[key] ?? NOT_SENT);
    if (problem === undefined) picked[key] = value;
    else problems.push(toProblem([key], describeShortly(value), problem));
  }
  if (problems.length > 0) throw invalidConfig(problems);
  return picked;
}

const TRAVELLING: ReadonlySet<string> = new Set(TRAVELLING_KEYS);
const NOT_SENT = 'is not sent to a worker: set it in the configuration of the worker';
const FUNCTION =
  'contains a function, such as a schema in code, which cannot be sent: give a JSON Schema';

/** Says that a value contains something that JSON cannot express. */
function findFunction(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
    return FUNCTION;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > 100 || (!Array.isArray(value) && !isPlainObject(value))) return FUNCTION;
  for (const inner of Object.values(value)) {
    const problem = findFunction(inner, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Values that do not travel may be secret. */
function describeShortly(value: unknown): string {
  return typeof value === 'object' && value !== null ? '(an object)' : `(a ${typeof value})`;
}
