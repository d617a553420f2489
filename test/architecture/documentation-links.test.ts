import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const wings = readdirSync(join(root, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const pages = [
  'README.md',
  'src/README.md',
  'src/security.md',
  ...wings.map((wing) => `src/${wing}/README.md`),
  'integration/bench/README.md',
  '.github/CONTRIBUTING.md',
  '.github/CHANGELOG.md',
  '.github/SECURITY.md',
];
const read = (page: string): string => readFileSync(join(root, page), 'utf8');

const withoutFences = (text: string): string => text.replace(/^(`{3,}).*\n[\s\S]*?^\1$/gm, '');

/** Returns the targets of the links of a page. Code is left out. */
function linksIn(page: string): string[] {
  const text = withoutFences(read(page)).replace(/(`+)(?:(?!\1).)+\1/g, (span) =>
    span.replace(/[()]/g, ''),
  );
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => `${target}`);
}

/** Returns the anchors that GitHub gives to the headings of a page. */
function anchorsIn(page: string): string[] {
  const headings = [...withoutFences(read(page)).matchAll(/^#+ (.+)$/gm)];
  return headings.map(([, heading]) =>
    `${heading}`
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

function findProblem(page: string, link: string): string | undefined {
  if (/^https?:/.test(link)) return undefined;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative(root, join(root, dirname(page), path));
  if (target.startsWith('..') || !existsSync(join(root, target))) return `${link}: no such file`;
  if (anchor === undefined) return undefined;
  return anchorsIn(target).includes(anchor) ? undefined : `${link}: no such heading`;
}

describe('the documentation', () => {
  it.each(pages)('has only links to files and headings that exist: %s', (page) => {
    expect(linksIn(page).flatMap((link) => findProblem(page, link) ?? [])).toEqual([]);
  });

  it('has no page that cannot be reached from README.md', () => {
    const reached = new Set(['README.md']);
    for (const page of reached) {
      const targets = linksIn(page).map((link) => link.split('#')[0] ?? '');
      for (const target of targets) {
        const file = relative(root, join(root, dirname(page), target));
        if (!/^https?:/.test(target) && pages.includes(file)) reached.add(file);
      }
    }
    expect(pages.filter((page) => !reached.has(page))).toEqual([]);
  });

  it('names only scripts of package.json', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
    const unknown = pages.flatMap((page) =>
      [...read(page).matchAll(/\bnpm run (?:-s |--silent )?([\w:-]+)/g)]
        .map(([, script]) => `${script}`)
        .filter((script) => scripts[script] === undefined)
        .map((script) => `${page}: npm run ${script}`),
    );
    expect(unknown).toEqual([]);
  });

  it('names only tests that exist', () => {
    const unknown = pages.flatMap((page) =>
      [...read(page).matchAll(/\b(?:test|integration)\/[\w./-]+/g)]
        .map(([path]) => path.replace(/[.,]$/, ''))
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(unknown).toEqual([]);
  });

  it.each(wings)(
    'src/%s/README.md has the sections of a wing and names files that exist',
    (wing) => {
      const page = read(`src/${wing}/README.md`);
      const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      expect(headings.slice(-3)).toEqual([
        'Files in reading order',
        'Decisions and reasons',
        'Tests',
      ]);
      const section = page.split('\n## Files in reading order\n')[1]?.split('\n## ')[0] ?? '';
      const files = [...section.matchAll(/`([\w/-]+(?:\.ts|\/))`/g)].map(([, file]) => `${file}`);
      expect(files.length).toBeGreaterThan(3);
      expect(files.filter((file) => !existsSync(join(root, 'src', wing, file)))).toEqual([]);
    },
  );

  it('is part of the package', () => {
    const { files }: { files: string[] } = JSON.parse(read('package.json'));
    expect(files).toEqual(
      expect.arrayContaining([
        'src/**/README.md',
        'src/security.md',
        'integration/bench/README.md',
        '.github/*.md',
      ]),
    );
    for (const page of pages) expect(statSync(join(root, page)).size).toBeGreaterThan(500);
  });
});
