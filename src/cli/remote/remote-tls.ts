import { readFile } from 'node:fs/promises';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';

/** Reads the certificate and its key. Undefined without both flags. Throws INVALID_CONFIG with the name of the flag. */
export async function readTls(
  cert: string | undefined,
  key: string | undefined,
): Promise<{ readonly cert: string; readonly key: string } | undefined> {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    const [given, missing] = cert === undefined ? ['key', 'cert'] : ['cert', 'key'];
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `--tls-${given} was given without --tls-${missing}`,
      hint: 'A server with https needs both files.',
    });
  }
  return { cert: await readPem('--tls-cert', cert), key: await readPem('--tls-key', key) };
}

async function readPem(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `The file of ${flag} cannot be read: ${messageOf(error)}`,
      hint: `Give a readable file in PEM form with ${flag}.`,
    });
  }
}
