import { expect, it, onTestFinished, vi } from 'vitest';
import { loadBullmq, loadIoredis, loadPg } from '../../../src/queue/store/load-driver.js';

/** Replaces a package for one test, as an installation without it or with another one would. */
function replacePackage(name: string, load: () => object): void {
  vi.doMock(name, load);
  onTestFinished(() => vi.doUnmock(name));
}

it('loads the packages that are installed', async () => {
  expect((await loadBullmq('pg')).Queue).toBeTypeOf('function');
  expect((await loadIoredis()).Redis).toBeTypeOf('function');
  expect((await loadPg()).Pool).toBeTypeOf('function');
});

it('names the npm install of a package that is missing', async () => {
  replacePackage('ioredis', () => {
    throw new Error('Cannot find package');
  });
  await expect(loadIoredis()).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    message: 'The queue needs the package ioredis, which cannot be loaded',
    hint: 'Run `npm install ioredis` in the project.',
  });
});

it.each(['pg', 'ioredis'] as const)('names BullMQ and %s if BullMQ is missing', async (driver) => {
  replacePackage('bullmq', () => {
    throw new Error('Cannot find package');
  });
  await expect(loadBullmq(driver)).rejects.toMatchObject({
    message: 'The queue needs the package bullmq, which cannot be loaded',
    hint: `Run \`npm install bullmq ${driver}\` in the project.`,
  });
});

it.each([undefined, { Client: class {} }])('refuses a package pg that exports %j', async (pg) => {
  replacePackage('pg', () => ({ default: pg }));
  await expect(loadPg()).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    message: 'The package pg has no Client and no Pool',
  });
});
