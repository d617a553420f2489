import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { ScriptedModel } from 'gemini-cli-provider/testing';
import { GEMINI } from '../support.js';

export const MAIN = join(import.meta.dirname, '..', '..', 'dist', 'cli.js');

/** Clients of the SDK: the first generation, the second, and the second that asks for the newest protocol. */
export const GENERATIONS = ['v1', 'v2', 'v2 auto'] as const;

export type Generation = (typeof GENERATIONS)[number];

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly onprogress?: (progress: { readonly message?: string | undefined }) => void;
}

/** Result of a tool, as a test looks at it. */
export interface Answer {
  readonly isError: boolean;
  readonly content: readonly { readonly type: string; readonly text?: string | undefined }[];
  readonly structured: Record<string, unknown>;
}

/** What the tests need of a client of either generation. */
export interface McpClient {
  readonly pid: number;
  call(name: string, args: object, options?: CallOptions): Promise<Answer>;
  toolNames(): Promise<string[]>;
  read(uri: string): Promise<string>;
  resourceUris(): Promise<string[]>;
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly model: ScriptedModel;
  readonly roots: readonly string[];
  readonly state: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Arguments that start the server for the real CLI and the scripted model. */
export function serverArguments({ model, roots, state, flags = [] }: ServerOptions): string[] {
  const env = Object.entries(model.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const more = ['--model', 'gemini-2.5-flash', '--trust-workspace', '--cli-path', GEMINI];
  const folders = [...roots.flatMap((root) => ['--root', root]), '--state', state];
  return [MAIN, 'mcp', ...folders, ...more, ...env, ...flags];
}

/** Starts a server and connects a client. */
export async function connect(
  options: ServerOptions,
  generation: Generation = 'v2',
): Promise<McpClient> {
  const start = {
    command: process.execPath,
    args: serverArguments(options),
    env: { ...environment(), ...options.env },
    stderr: 'ignore' as const,
  };
  return generation === 'v1' ? connectOld(start) : connectNew(start, generation);
}

type Start = ConstructorParameters<typeof NewTransport>[0];

async function connectNew(start: Start, generation: Generation): Promise<McpClient> {
  const transport = new NewTransport(start);
  const client = new NewClient(
    { name: 'test', version: '1' },
    generation === 'v2 auto' ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  await client.connect(transport);
  return {
    pid: transport.pid ?? 0,
    call: async (name, args, options = {}) =>
      toAnswer(await client.callTool({ name, arguments: { ...args } }, options)),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    resourceUris: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    close: () => client.close(),
  };
}

async function connectOld(start: Start): Promise<McpClient> {
  const transport = new OldTransport(start);
  const client = new OldClient({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    pid: transport.pid ?? 0,
    call: async (name, args, options = {}) => {
      const params = { name, arguments: { ...args } };
      return toAnswer(await client.callTool(params, CallToolResultSchema, options));
    },
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    resourceUris: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    close: () => client.close(),
  };
}

function toAnswer(result: object): Answer {
  const { content, structuredContent, isError } = CallToolResultSchema.parse(result);
  return {
    isError: isError === true,
    content: content.map((block) => ({
      type: block.type,
      ...(block.type === 'text' && { text: block.text }),
    })),
    structured: structuredContent ?? {},
  };
}

function textOf(contents: readonly object[]): string {
  const [first] = contents;
  return first !== undefined && 'text' in first ? String(first.text) : '';
}

function environment(): Record<string, string> {
  const set = Object.entries(process.env).filter((entry): entry is [string, string] => {
    return entry[1] !== undefined;
  });
  return Object.fromEntries(set);
}

/** Makes a folder a repository with one commit. */
export function commitAll(folder: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args]);
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
}
