import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/base/errors/codes.js';
import { CONFIG_KEYS } from '../../src/config/schema.js';
import * as main from '../../src/index.js';
import * as testing from '../../src/testing/index.js';

const root = new URL('../../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');

describe('the public surface', () => {
  it('is this and nothing else', () => {
    expect(Object.keys(main).sort()).toEqual([
      'AcpAgentProvider',
      'AgentPool',
      'GeminiCliProvider',
      'ProviderError',
      'ProviderRegistry',
      'findSessionFile',
      'getCapabilities',
      'getMessages',
      'listSessions',
      'projectName',
      'readPlan',
      'readSession',
      'registerGeminiCli',
      'runBatch',
      'toUnifiedMessages',
      'watchSession',
    ]);
    expect(Object.keys(testing)).toEqual(['startScriptedModel']);
  });
});

describe('the README', () => {
  it.each(Object.entries(ERROR_CODES))('documents %s', (code, { retryable }) => {
    expect(readme).toMatch(new RegExp(`\\| \`${code}\` \\|.*\\| ${retryable ? 'yes' : 'no'} \\|`));
  });

  const contract = readFileSync(new URL('src/api/result.ts', root), 'utf8');
  const union = /export type WarningCode =([^;]+);/.exec(contract)?.[1] ?? '';
  const warningCodes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code);

  it('documents all warnings, and no others', () => {
    const section = /^## Warnings\n([\s\S]*?)^## /m.exec(readme)?.[1] ?? '';
    const documented = [...section.matchAll(/^\| `([A-Z_]+)` \| \S/gm)].map(([, code]) => code);
    expect(warningCodes.length).toBeGreaterThan(10);
    expect(documented).toEqual(warningCodes);
  });

  it.each(CONFIG_KEYS)('documents the key %s', (key) => {
    expect(readme).toContain(`| \`${key}\` |`);
  });

  it('describes every folder of the tree', () => {
    const folders = readdirSync(new URL('src/', root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    const described = [...readme.matchAll(/^\| `(\w+)\/` \|/gm)].map(([, name]) => name);
    expect(described.sort()).toEqual(folders.sort());
  });

  it('states the borders that lint holds', () => {
    const lint: {
      overrides: {
        includes: string[];
        linter: {
          rules: {
            style?: { noRestrictedImports?: { options: { patterns: { group: string[] }[] } } };
          };
        };
      }[];
    } = JSON.parse(readFileSync(new URL('.biome.json', root), 'utf8'));
    for (const { includes, linter } of lint.overrides) {
      const folder = /^src\/(\w+)\/\*\*$/.exec(includes[0] ?? '')?.[1];
      const group = linter.rules.style?.noRestrictedImports?.options.patterns[0]?.group;
      if (folder === undefined || group === undefined || folder === 'provider') continue;
      const allowed = group
        .slice(1)
        .map((pattern) => pattern.replace(/^!\.\.\/(\w+)\/\*\*$/, '$1'));
      expect(readme).toMatch(
        new RegExp(`^\\| \`${folder}/\` \\|.*\\| ${allowed.join(', ') || 'nothing'} \\|$`, 'm'),
      );
    }
  });
});
