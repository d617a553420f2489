import { z } from 'zod';
import { durationField } from '../../config/fields.js';
import { parseSettings } from '../queue-settings.js';

const DEFAULT_LIMIT_SECONDS = 600;

/** Checks the options of `StepWorker.close`. Throws INVALID_CONFIG. */
export function parseCloseOptions(input: unknown): {
  readonly isDraining: boolean;
  readonly limitMs: number;
} {
  const { drain, limit } = parseSettings(input, { drain: z.boolean(), limit: durationField });
  return { isDraining: drain ?? true, limitMs: (limit ?? DEFAULT_LIMIT_SECONDS) * 1_000 };
}
