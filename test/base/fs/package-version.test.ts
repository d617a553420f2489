import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readPackageVersion } from '../../../src/base/fs/package-version.js';

it('is the version in package.json', () => {
  const manifest = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  expect(readPackageVersion()).toBe(manifest.version);
});
