import type { PgModule } from 'bullmq';
import { ProviderError } from '../../base/errors/provider-error.js';

/** Loads BullMQ. Throws INVALID_CONFIG that names the `npm install` if it is missing. */
export function loadBullmq(): Promise<typeof import('bullmq')> {
  return load('bullmq', () => import('bullmq'));
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

async function load<T>(name: string, importPackage: () => Promise<T>): Promise<T> {
  try {
    return await importPackage();
  } catch (error) {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `The queue needs the package ${name}, which cannot be loaded`,
      hint: `Run \`npm install ${name}\` in the project.`,
      cause: error,
    });
  }
}
