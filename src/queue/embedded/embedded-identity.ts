import { randomBytes, randomInt } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrno } from '../../base/errors/errno.js';
import { isObject } from '../../base/json/is-object.js';

/** Ports outside of the range from which Linux takes the ports of outgoing connections. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

/** Facts by which the processes of one user find and trust the embedded server of a folder. */
export interface EmbeddedIdentity {
  /** Port of the host program. Only one program can listen on it, so that a folder has one server. */
  readonly hostPort: number;
  /** First word of the host, which no other program on the port knows. */
  readonly token: string;
  readonly password: string;
}

/** Reads the identity of a folder. The first process creates it; others that do so at the same time get the same one. */
export async function readIdentity(folder: string): Promise<EmbeddedIdentity> {
  const path = join(folder, 'identity.json');
  const found = await readFile(path, 'utf8').catch((error: unknown) => {
    if (hasErrno(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (found !== undefined) return parseIdentity(path, found);
  const fresh: EmbeddedIdentity = {
    hostPort: randomInt(FIRST_PORT, LAST_PORT),
    token: randomBytes(16).toString('hex'),
    password: randomBytes(16).toString('hex'),
  };
  const temporary = `${path}.${fresh.token}`;
  await writeFile(temporary, JSON.stringify(fresh), { mode: 0o600 });
  // `link` fails if the path exists, and the file behind it is whole from the beginning.
  await link(temporary, path).catch((error: unknown) => {
    if (!hasErrno(error, 'EEXIST')) throw error;
  });
  await rm(temporary, { force: true });
  return parseIdentity(path, await readFile(path, 'utf8'));
}

/** Forgets the port of a host, because another program has taken it. The password stays: the data know it. */
export async function changeHostPort(folder: string, old: EmbeddedIdentity): Promise<void> {
  const path = join(folder, 'identity.json');
  const changed = { ...old, hostPort: randomInt(FIRST_PORT, LAST_PORT) };
  await writeFile(path, JSON.stringify(changed), { mode: 0o600 });
}

function parseIdentity(path: string, text: string): EmbeddedIdentity {
  const value: unknown = JSON.parse(text);
  if (isObject(value)) {
    const { hostPort, token, password } = value;
    if (typeof hostPort === 'number' && typeof token === 'string' && typeof password === 'string')
      return { hostPort, token, password };
  }
  throw new Error(`${path} is damaged`);
}
