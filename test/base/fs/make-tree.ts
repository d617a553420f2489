import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a temporary folder with these files, removed after the test. A path that ends in `/` is an empty folder. */
export function makeTree(files: Readonly<Record<string, string>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-cli-provider-test-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    const target = join(root, path);
    mkdirSync(path.endsWith('/') ? target : dirname(target), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(target, content);
  }
  return root;
}
