import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromiumBinary from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import { withLock } from '../.config/with-lock.mjs';

/**
 * Starts the browser of the project's own dependencies. Its program is unpacked into the temporary folder at the first start: two
 * processes that unpack at the same time would run a program that is still being written.
 */
export async function launchBrowser() {
  const lock = join(tmpdir(), 'gemini-cli-provider-chromium.lock');
  const executablePath = await withLock(lock, () => chromiumBinary.executablePath());
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu'],
  });
}
