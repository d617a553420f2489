import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readEnvironment } from '../../base/process/environment.js';
import { assertNotNested } from '../../engines/mcp/assert-not-nested.js';
import {
  createClientConfig,
  MCP_CLIENTS,
  type McpClient,
} from '../../engines/mcp/client-config.js';
import { WorkspaceRoots } from '../../engines/mcp/workspace-roots.js';
import { addConfigFlags } from '../config/config-flags.js';
import { readConfig } from '../config/read-config.js';
import { type Output, print } from '../output/output.js';
import { hideCommandLine } from '../queue/hide-credentials.js';
import { serverCommand } from './mcp-server-command.js';

/** More jobs would wait for the model and for memory. */
const MOST_JOBS = 64;

/** Configuration keys that belong to a call, not to the server. */
const KEYS_OF_A_CALL = ['resume', 'sessionId', 'cwd', 'workingDir', 'repair', 'expandAt'];

interface McpFlags extends Record<string, unknown> {
  readonly root?: readonly string[];
  readonly maxJobs?: number;
  readonly state?: string;
  readonly printConfig?: McpClient;
}

const EXAMPLES = `
Examples:
  $ gemini-cli-provider mcp --root ~/work --trust-workspace --model gemini-2.5-flash
  $ gemini-cli-provider mcp --approval-mode plan
  $ gemini-cli-provider mcp --allowed-tools "run_shell_command(npm test)"
  $ gemini-cli-provider mcp --print-config claude --trust-workspace > .mcp.json
  $ gemini-cli-provider mcp --print-config codex --root ~/work >> ~/.codex/config.toml

A client starts the server and closes its stdin to end it. Tools: gemini_ask, gemini_edit, gemini_apply, gemini_wait, gemini_cancel,
gemini_batch, gemini_status. The flags are the upper limit of what a caller can ask for: shell commands run only if --allowed-tools
or --approval-mode yolo allows them, and with --approval-mode plan the server has no tool that edits.
Stdout belongs to the protocol; messages and the log go to stderr.

Exit codes: 0 the client has gone, or SIGTERM · 2 wrong use or configuration · 129 SIGHUP · 1 other`;

const toJobs = (value: string): number => {
  const jobs = Number(value);
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= MOST_JOBS) return jobs;
  throw new InvalidArgumentError(`Give a whole number from 1 to ${MOST_JOBS}.`);
};

const collectFolder = (value: string, all: readonly string[] | undefined): string[] => [
  ...(all ?? []),
  resolve(value),
];

export function addMcpCommand(program: Command, output: Output): void {
  const command = program
    .command('mcp')
    .description('Serve steps to other agents, over the Model Context Protocol on stdin and stdout')
    .option(
      '--root <dir>',
      'Folder below which agents may work (repeatable; default: the current folder)',
      collectFolder,
    )
    .option('--max-jobs <n>', 'Jobs that run at the same time (default: 4)', toJobs)
    .option(
      '--state <dir>',
      "Folder for worktrees and patches (default: in the user's state folder)",
    )
    .addOption(
      new Option(
        '--print-config <client>',
        'Print what to paste into the client, and exit',
      ).choices(MCP_CLIENTS),
    )
    .addHelpText('after', EXAMPLES);
  addConfigFlags(command, KEYS_OF_A_CALL).action(async (flags: McpFlags) => {
    if (flags.printConfig !== undefined) await printConfig(flags.printConfig, flags, output);
    else process.exitCode = await serve(flags, output);
  });
}

async function serve(flags: McpFlags, output: Output): Promise<number> {
  assertNotNested(readEnvironment());
  await hideCommandLine(process.argv.slice(2), output);
  const config = await readConfig(flags);
  const { serveAgents } = await import('./serve-agents.js');
  const { root = [process.cwd()], maxJobs, state } = flags;
  return serveAgents({ config, roots: root, maxJobs, stateDir: state, output });
}

async function printConfig(client: McpClient, { root }: McpFlags, output: Output): Promise<void> {
  const { folders } = new WorkspaceRoots(root ?? [process.cwd()]);
  const server = serverCommand(process.argv, folders, readEnvironment());
  const { text, advice } = createClientConfig(client, server);
  await print(output.stdout, `${text}\n`);
  await print(output.stderr, `${advice}\n`);
}
