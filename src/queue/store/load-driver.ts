import type { PgModule } from 'bullmq';
import { ProviderError } from '../../base/errors/provider-error.js';

/**
 * Loads BullMQ. Throws INVALID_CONFIG that names the `npm install` if it is missing. A queue needs a driver, too, so that the hint names
 * both.
 */
export function loadBullmq(driver: 'ioredis' | 'pg'): Promise<typeof import('bullmq')> {
  return load('bullmq', () => import('bullmq'), `bullmq ${driver}`);
}

/** Loads the driver of Redis. */
export async function loadIoredis(): Promise<Pick<typeof import('ioredis'), 'Redis'>> {
  const { Redis } = await load('ioredis', () => import('ioredis'));
  return { Redis };
}

/** Loads the driver of PostgreSQL. */
export async function loadPg(): Promise<PgModule> {
  const { default: drivers }: { default: unknown } = await load('pg', () => import('pg'));
  if (isPgModule(drivers)) return drivers;
  throw new ProviderError({
    code: 'INVALID_CONFIG',
    message: 'The package pg has no Client and no Pool',
    hint: 'Run `npm install pg` in the project.',
  });
}

/** BullMQ has types of its own for this driver. */
function isPgModule(value: unknown): value is PgModule {
  if (typeof value !== 'object' || value === null) return false;
  return ['Client', 'Pool'].every((name) => typeof Reflect.get(value, name) === 'function');
}

async function load<T>(
  name: string,
  importPackage: () => Promise<T>,
  wanted: string = name,
): Promise<T> {
  try {
    return await importPackage();
  } catch (error) {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `The queue needs the package ${name}, which cannot be loaded`,
      hint: `Run \`npm install ${wanted}\` in the project.`,
      cause: error,
    });
  }
}
