import { readFileSync } from 'node:fs';
import { isObject } from '../json/is-object.js';

const MANIFEST = new URL('../../../package.json', import.meta.url);

let version: string | undefined;

/** Returns the version of this package. An empty text if package.json cannot be read. */
export function readPackageVersion(): string {
  version ??= readVersion();
  return version;
}

function readVersion(): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(MANIFEST, 'utf8'));
    return isObject(manifest) ? String(manifest['version'] ?? '') : '';
  } catch {
    return '';
  }
}
