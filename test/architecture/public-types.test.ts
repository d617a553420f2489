import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const ENTRIES = [
  'src/index.ts',
  'src/batch/index.ts',
  'src/queue/index.ts',
  'src/remote/index.ts',
  'src/sessions/index.ts',
  'src/testing/index.ts',
  'src/testing/conformance/index.ts',
  'src/engines/ai-sdk/index.ts',
];
/** Types whose optional members are options of the caller: each must name its default. */
const OPTIONS = /(Options|Config|Settings|Limits|Hooks|Expectations)$/;

interface Member {
  readonly name: string;
  readonly isOptional: boolean;
  readonly documentation: string;
  readonly tags: readonly string[];
}

describe('the types of the package', () => {
  const program = createProgram();
  const checker = program.getTypeChecker();
  const exported = ENTRIES.flatMap((entry) => findExports(program, checker, entry));

  it('are exported from one entry each', () => {
    const names = exported.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('are all documented', () => {
    expect(exported.length).toBeGreaterThan(100);
    const silent = exported.filter((symbol) => describeSymbol(checker, symbol) === '');
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('have documented members', () => {
    const silent = exported.flatMap((symbol) =>
      findMembers(checker, symbol)
        .filter(({ documentation }) => documentation === '')
        .map(({ name }) => `${symbol.name}.${name}`),
    );
    expect(silent).toEqual([]);
  });

  it('name the default of every option', () => {
    const silent = exported
      .filter(({ name }) => OPTIONS.test(name))
      .flatMap((symbol) =>
        findMembers(checker, symbol)
          .filter(({ isOptional, tags }) => isOptional && !tags.includes('defaultValue'))
          .map(({ name }) => `${symbol.name}.${name}`),
      );
    expect(silent).toEqual([]);
  });
});

function createProgram(): ts.Program {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return ts.createProgram(
    ENTRIES.map((entry) => `${root}${entry}`),
    options,
  );
}

function findExports(program: ts.Program, checker: ts.TypeChecker, entry: string): ts.Symbol[] {
  const source = program.getSourceFile(`${root}${entry}`);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${entry} exports nothing`);
  return checker.getExportsOfModule(module).map((symbol) => {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  });
}

function describeSymbol(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
}

/** Returns the members of a type. An interface has the members of the interfaces that it extends, too. */
function findMembers(checker: ts.TypeChecker, symbol: ts.Symbol): Member[] {
  const declarations = symbol.declarations ?? [];
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const bases = type.isClassOrInterface() && !type.isClass() ? checker.getBaseTypes(type) : [];
  const inherited = bases.flatMap((base) => findMembers(checker, base.symbol));
  const own = declarations.flatMap((declaration) => {
    if (ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration)) {
      return declaration.members.flatMap((member) => toMember(checker, member));
    }
    if (ts.isTypeAliasDeclaration(declaration) && ts.isTypeLiteralNode(declaration.type)) {
      return declaration.type.members.flatMap((member) => toMember(checker, member));
    }
    return [];
  });
  return [...inherited, ...own];
}

function toMember(checker: ts.TypeChecker, member: ts.TypeElement | ts.ClassElement): Member[] {
  const { name } = member;
  if (name === undefined || !ts.isIdentifier(name)) return [];
  // The name of a union member needs no further documentation.
  if (name.text === 'type') return [];
  if (ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected))
    return [];
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined) return [];
  return [
    {
      name: name.text,
      isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
      documentation: describeSymbol(checker, symbol),
      tags: symbol.getJsDocTags(checker).map((tag) => tag.name),
    },
  ];
}
