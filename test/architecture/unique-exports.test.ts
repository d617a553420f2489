import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
/** Names of files that every wing may have. */
const SHARED_FILE_NAMES: readonly string[] = ['tsconfig.json', 'index.ts', 'README.md'];

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(SRC.length).replaceAll(sep, '/'))
  .sort();

/** Returns the names that a file declares and exports. A re-export declares nothing and does not count. */
function exportsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const declared = source.statements.filter((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
    return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
  });
  // Overloads of a function have one name, and so have a value and its type.
  return [...new Set(declared.flatMap(namesOf))];
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name));
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

function namesIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => {
    return ts.isBindingElement(element) ? namesIn(element.name) : [];
  });
}

/** Returns `name: file, file` for each name that more than one file has. */
function findShared(pairs: readonly (readonly [name: string, file: string])[]): string[] {
  const byName = new Map<string, string[]>();
  for (const [name, file] of pairs) byName.set(name, [...(byName.get(name) ?? []), file]);
  return [...byName]
    .filter(([, owners]) => owners.length > 1)
    .map(([name, owners]) => `${name}: ${owners.join(', ')}`);
}

it('finds the exported names of a file', () => {
  expect(exportsOf('base/errors/provider-error.ts')).toEqual([
    'ProviderErrorInit',
    'ProviderError',
  ]);
  expect(exportsOf('base/process/longest-timer.ts')).toEqual([
    'LONGEST_TIMER_MS',
    'LONGEST_TIMER_SECONDS',
  ]);
  expect(exportsOf('index.ts')).toEqual([]);
});

it('no two files export the same name', () => {
  const pairs = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => exportsOf(file).map((name) => [name, file] as const));
  expect(findShared(pairs)).toEqual([]);
});

it('no two wings have a file of the same name', () => {
  const wings = new Set(
    files
      .filter((file) => file.includes('/') && !SHARED_FILE_NAMES.includes(basename(file)))
      .map((file) => `${file.split('/')[0]} ${basename(file)}`),
  );
  const pairs = [...wings].map((entry) => {
    const [wing = '', name = ''] = entry.split(' ');
    return [name, wing] as const;
  });
  expect(findShared(pairs)).toEqual([]);
});
