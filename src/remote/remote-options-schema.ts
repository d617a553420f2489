import { resolve } from 'node:path';
import { z } from 'zod';
import type { RemoteOptions } from '../api/remote-options.js';
import { readInput } from '../base/errors/invalid-input.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { statIfThere } from '../base/fs/stats.js';
import { dotPath } from '../base/text/dot-path.js';
import { ALL_RIGHTS } from './server/device-store.js';

const rights = z.array(z.enum(['watch', 'approve', 'prompt', 'start'])).min(1);
const schema = z.strictObject({
  port: z.int().min(0).max(65_535).optional(),
  host: z.string().min(1).optional(),
  publicUrl: z.string().optional(),
  tls: z.strictObject({ cert: z.string(), key: z.string() }).optional(),
  roots: z.array(z.string().min(1)).min(1).optional(),
  rights: rights.optional(),
  allowYolo: z.boolean().optional(),
  state: z.string().min(1).optional(),
  config: z
    .custom<RemoteOptions['config']>((value) => typeof value === 'object' && value !== null)
    .optional(),
  logger: z
    .custom<RemoteOptions['logger']>((value) => typeof value === 'object' && value !== null)
    .optional(),
});

/** Checks the options of a server and fills in defaults. Throws INVALID_CONFIG. */
export function resolveRemoteOptions(input: unknown) {
  const parsed = readInput('options', () => schema.safeParse(input), 'INVALID_CONFIG');
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${dotPath(path)}: ${message}`);
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `The options of the remote server are not valid: ${problems.join('; ')}`,
      hint: 'Correct the named options.',
    });
  }
  const { data } = parsed;
  const roots = (data.roots ?? ['.']).map((root) => resolve(root));
  for (const root of roots)
    if (statIfThere(root)?.isDirectory() !== true)
      throw new ProviderError({
        code: 'INVALID_CONFIG',
        message: `The folder ${root} does not exist, or is no folder`,
        hint: 'Give folders that exist with --root: devices may start sessions in them.',
      });
  return {
    port: data.port ?? 0,
    host: data.host ?? '127.0.0.1',
    publicUrl: data.publicUrl,
    tls: data.tls,
    roots,
    rights: data.rights ?? ALL_RIGHTS,
    allowYolo: data.allowYolo ?? false,
    state: data.state === undefined ? undefined : resolve(data.state),
    config: data.config ?? {},
    logger: data.logger,
  };
}
