import { z } from 'zod';
import { durationField, secondsField, textField, wholeField } from '../../config/fields.js';
import { normaliseKeys } from '../../config/resolve-config.js';
import {
  type ConnectionSettings,
  connectionShape,
  labelsField,
  parseSettings,
  resolveConnection,
  textsField,
} from '../queue-settings.js';
import type { ShipLimits } from '../ship-limits.js';
import type { OnConnection } from '../store/queue-store.js';
import { setupField } from '../worker/worker-settings.js';
import { shipLimitsField } from '../workspace/check-limit.js';
import { checkRemote } from '../workspace/git-remote.js';
import type { QueuedWorkspace } from './queued-provider-options.js';

/** Checked options of `QueuedProvider` and `StepQueue`, with all defaults filled in. */
export interface ClientSettings {
  readonly connection: ConnectionSettings;
  readonly workspace: QueuedWorkspace;
  readonly include: readonly string[];
  readonly setup: readonly string[] | undefined;
  readonly limits: ShipLimits;
  readonly labels: readonly string[];
  readonly attempts: number;
  readonly priority: number;
  readonly detach: boolean;
  readonly waitTimeoutMs: number;
  readonly keepMs: number;
  readonly keepCount: number;
  readonly pollMs: number;
  readonly onConnection: OnConnection;
  /** Options of each step, under their camelCase names. */
  readonly config: Readonly<Record<string, unknown>>;
}

const DAY_SECONDS = 24 * 60 * 60;
export const priorityField = wholeField(0, 2_000_000);

const shape = {
  ...connectionShape,
  workspace: z.union([z.enum(['auto', 'shared', 'ship']), z.strictObject({ remote: textField })], {
    error: "must be 'auto', 'shared', 'ship' or { remote }",
  }),
  include: textsField,
  setup: setupField,
  limits: shipLimitsField,
  labels: labelsField,
  attempts: wholeField(1, 100),
  priority: priorityField,
  detach: z.boolean(),
  waitTimeout: durationField,
  retention: z.strictObject({ age: durationField, count: wholeField(1) }).partial(),
  pollInterval: secondsField,
  onConnection: z.custom<OnConnection>(
    (value) => typeof value === 'function',
    'must be a function',
  ),
  config: z.record(z.string(), z.unknown()),
};

/** Names of all options. */
export const CLIENT_KEYS: readonly string[] = Object.keys(shape);

/** Checks the options. Throws INVALID_CONFIG with every problem at once. */
export function parseClientSettings(input: unknown): ClientSettings {
  const given = parseSettings(input, shape);
  if (typeof given.workspace === 'object') checkRemote(given.workspace.remote);
  return {
    connection: resolveConnection(given),
    workspace: given.workspace ?? 'auto',
    include: given.include ?? [],
    setup: given.setup,
    limits: given.limits ?? {},
    labels: given.labels ?? [],
    attempts: given.attempts ?? 1,
    priority: given.priority ?? 0,
    detach: given.detach ?? false,
    waitTimeoutMs: (given.waitTimeout ?? DAY_SECONDS) * 1_000,
    keepMs: (given.retention?.age ?? DAY_SECONDS) * 1_000,
    keepCount: given.retention?.count ?? 10_000,
    pollMs: (given.pollInterval ?? 1) * 1_000,
    onConnection: given.onConnection ?? (() => {}),
    config: normaliseKeys(given.config ?? {}).values,
  };
}
