import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const file = `${root}test/architecture/snippet.ts`;
const PRELUDE = `
import { AcpAgentProvider, AgentPool, detectCli, diagnose, execute, GeminiCliProvider, getCapabilities, ProviderRegistry } from '../../src/index.js';
import type { ProviderConfig, ResponseProvider } from '../../src/index.js';
import { runBatch } from '../../src/batch/index.js';
import { listSessions, loadMessages } from '../../src/sessions/index.js';
interface Own { readonly correlationId: string }
declare const provider: GeminiCliProvider;
declare const typed: ResponseProvider;
declare const registry: ProviderRegistry;
declare const config: ProviderConfig;
declare const own: Own;
declare const yaml: unknown;
`;

/** Expressions that must not compile, with a part of the compiler's message. */
const WRONG: readonly (readonly [expression: string, message: string])[] = [
  [`new GeminiCliProvider({ modle: 'x' })`, `'modle' does not exist`],
  [`new GeminiCliProvider({ timeout: true })`, `'true' is not assignable`],
  [`new GeminiCliProvider({ approvalMode: 'YOLO' })`, `"YOLO"`],
  [`new GeminiCliProvider({ pool: { maxProcess: 1 } })`, `'maxProcess' does not exist`],
  [`new GeminiCliProvider({ expects: { file: 'a' } })`, `'file' does not exist`],
  [`new GeminiCliProvider(yaml)`, `'unknown' is not assignable`],
  [`new AcpAgentProvider({ command: 'x', modle: 'y' })`, `'modle' does not exist`],
  [`new AcpAgentProvider({ command: 'x', cliPath: 'y' })`, `'cliPath' does not exist`],
  [`new AgentPool({ maxProcess: 1 })`, `'maxProcess' does not exist`],
  [`provider.generate('x', {}, { modle: 'y' })`, `'modle' does not exist`],
  [`provider.generate('x', {}, { signal: 3 })`, 'AbortSignal'],
  [`provider.generate('x', {}, { timeout: 5, foo: 1 })`, `'foo' does not exist`],
  [`provider.generate('x', { projectRoot: 3 })`, `'number' is not assignable|never`],
  [`provider.stream('x', {}, { modle: 'y' })`, `'modle' does not exist`],
  [`typed.generate('x', {}, { modle: 'y' })`, `'modle' does not exist`],
  [`typed.stream('x', {}, { signal: 'now' })`, 'AbortSignal'],
  [`registry.create('gemini-cli', { modle: 'x' })`, `'modle' does not exist`],
  [`runBatch({ defaults: { trustWorkspce: true }, steps: [] })`, `'trustWorkspce' does not exist`],
  [`runBatch({ defaults: { resume: 'latest' }, steps: [] })`, `'undefined'`],
  [`runBatch({ steps: [{ id: 'a', prompt: 'b', modle: 'c' }] })`, `'modle' does not exist`],
  [`runBatch([{ id: 'a', prompt: 'b', modle: 'c' }])`, `'modle' does not exist`],
  [`runBatch([], { outt: 'x' })`, `'outt' does not exist`],
  [`runBatch([], { config: { modle: 'x' } })`, `'modle' does not exist`],
  [`diagnose({ modle: 'x' })`, `'modle' does not exist`],
  [`diagnose(yaml)`, `'unknown' is not assignable`],
  [`detectCli({ cliPat: 'x' })`, `'cliPat' does not exist`],
  [`getCapabilities({ asc: true })`, `'asc' does not exist`],
  [`execute({ permissionMode: 'plan' })`, `'prompt' is missing`],
  [`execute({ prompt: 'x', permissionMode: 'yolo' })`, `"yolo"`],
  [`execute({ prompt: 'x', approvalMode: 'yolo' })`, `'approvalMode' does not exist`],
  [`execute({ prompt: 'x' }).then(({ error }) => error)`, `'error' does not exist`],
  [`listSessions({ limt: 1 })`, `'limt' does not exist`],
  [`loadMessages({ sesionId: 'x' })`, `'sesionId' does not exist`],
  [`new GeminiCliProvider({ onPermission: () => 'yes' })`, `"yes"`],
  [`new GeminiCliProvider({ onPermission: () => ({ option: 'x' }) })`, `'OnPermission'`],
];

const RIGHT: readonly string[] = [
  `new GeminiCliProvider({ model: 'x', timeout: '5m', approvalMode: 'plan', pool: {} })`,
  `GeminiCliProvider.fromConfig(yaml)`,
  `AcpAgentProvider.fromConfig(yaml)`,
  `registry.create('gemini-cli', config)`,
  `registry.fromConfig('gemini-cli', yaml)`,
  `runBatch('plan.yaml', { config, provider: typed })`,
  `runBatch({ defaults: { model: 'x', retries: 1 }, steps: [{ id: 'a', prompt: 'b', timeout: 5 }] })`,
  `typed.metadata.name.length + typed.metadata.configKeys.length`,
  `(async () => { await using p = registry.create('gemini-cli'); await p.validate(); })`,
  `typed.generate('x', {}, { signal: AbortSignal.timeout(1), model: 'y' })`,
  `provider.generate('x', own).then(({ context }): string => context.correlationId)`,
  `typed.generate('x', { id: 7 }).then(({ context }): number => context.id)`,
  `provider.generate('x', own, { expects: { json: { safeParse: () => ({ success: true as const, data: 1 }) } } })
    .then(({ context, data }): [string, number] => [context.correlationId, data])`,
  `provider.generate('x').then(({ context }) => context['other'])`,
  `provider.generate('x').then(({ messages = [] }): string[] => messages.map(({ role }) => role))`,
  `diagnose(config).then(({ ok, findings }): unknown[] => [ok, findings[0]?.fix])`,
  `[detectCli()].map((path: string | null) => path)`,
  `execute({ prompt: 'x', permissionMode: 'bypassPermissions', workingDir: '.', timeout: '5m' })
    .then((result) => result.success ? result.text : result.error.code satisfies string)`,
  `new GeminiCliProvider({ onPermission: ({ options }) => ({ optionId: options[0]?.optionId ?? 'x' }) })`,
  `new GeminiCliProvider({ onPermission: async ({ suggested }) => suggested })`,
];

describe('the types of configuration, options and plans', () => {
  let diagnostics: readonly ts.Diagnostic[] = [];
  const expressions = [...WRONG.map(([expression]) => expression), ...RIGHT];
  const source = `${PRELUDE}${expressions.map((line) => `void (${line.replaceAll('\n', ' ')});`).join('\n')}`;
  const firstLine = PRELUDE.split('\n').length - 1;

  beforeAll(() => {
    diagnostics = compile(source);
  });

  const messagesOf = (index: number): string[] =>
    diagnostics
      .filter((found) => found.file?.getLineAndCharacterOfPosition(found.start ?? 0).line === index)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));

  it.each(WRONG.map((entry, index) => [...entry, index] as const))(
    'refuse %s',
    (_, message, index) => {
      expect(messagesOf(firstLine + index).join(' ')).toMatch(new RegExp(message));
    },
  );

  it.each(RIGHT.map((expression, index) => [expression, index] as const))(
    'accept %s',
    (_, index) => {
      expect(messagesOf(firstLine + WRONG.length + index)).toEqual([]);
    },
  );

  it('are found by a prelude that compiles', () => {
    expect(messagesOf(1).concat(messagesOf(2), messagesOf(3))).toEqual([]);
  });
});

/** Compiles a text as a module beside this file, with the options of this package. */
function compile(text: string): readonly ts.Diagnostic[] {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.getSourceFile = (path, version, ...rest) =>
    path === file
      ? ts.createSourceFile(path, text, version, true)
      : getSourceFile(path, version, ...rest);
  const program = ts.createProgram([file], options, host);
  return program.getSemanticDiagnostics(program.getSourceFile(file));
}
