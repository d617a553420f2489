import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ResponseProvider } from '../../api/response-provider.js';
import { messageOf } from '../../base/errors/message-of.js';
import { cleanLine } from '../../base/text/clean-text.js';
import { normaliseKeys } from '../../config/resolve-config.js';
import { GeminiCliProvider } from '../../step/gemini-cli-provider.js';
import { CallCeiling } from './call-ceiling.js';
import { createMcpServer } from './create-mcp-server.js';
import { JobTable } from './job-table.js';
import type { RewriteHint } from './map-job.js';
import { DEFAULT_MAX_JOBS, LONGEST_MESSAGE_BYTES } from './mcp-limits.js';
import { ServerState } from './server-state.js';
import { WorkspaceRoots } from './workspace-roots.js';

export interface ServeMcpOptions {
  /** Configuration of the provider: the upper limit of what a caller can ask for. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Provider that runs the steps, in the place of the Gemini CLI on this machine. The server disposes of it. */
  readonly provider?: ResponseProvider | undefined;
  /** Folders below which agents may work. */
  readonly roots: readonly string[];
  /** Jobs that run at the same time. Default: 4. */
  readonly maxJobs?: number | undefined;
  /** Folder for worktrees and patches. Default: in the user's state directory. */
  readonly stateDir?: string | undefined;
  readonly stdin: Readable;
  /** Stream of the protocol. No other code writes to it. */
  readonly stdout: Writable;
  readonly rewriteHint?: RewriteHint | undefined;
  /** Called for each problem of the protocol, such as a line that is no JSON. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

export interface RunningMcpServer {
  /** Resolves when the client has closed the connection. */
  readonly disconnected: Promise<void>;
  /** Ends all jobs with their processes, and the connection. */
  close(): Promise<void>;
}

/** Serves MCP on two streams. Throws INVALID_CONFIG before anything is served. */
export async function serveMcp(options: ServeMcpOptions): Promise<RunningMcpServer> {
  const { stdin, stdout, maxJobs = DEFAULT_MAX_JOBS, onProblem = () => {} } = options;
  const roots = new WorkspaceRoots(options.roots);
  const { config, provider, ceiling } = openProvider(options, maxJobs);
  const state = await ServerState.open(options.stateDir);
  const jobs = new JobTable(maxJobs);
  const rewriteHint = options.rewriteHint ?? ((hint: string) => hint);
  const parts = { provider, config, roots, ceiling, jobs, maxJobs, state, rewriteHint };
  const transport = new StdioServerTransport(stdin, stdout, {
    maxBufferSize: LONGEST_MESSAGE_BYTES,
  });
  const handle = serveStdio(() => createMcpServer(parts), {
    transport,
    onerror: (error) => onProblem(cleanLine(messageOf(error))),
  });
  const disconnected = new Promise<void>((resolve) => {
    // serveStdio has set its own function. There is no other way to hear of a message that is too long.
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  const close = async (): Promise<void> => {
    await jobs.close();
    await provider.dispose();
    await handle.close();
    await state.close();
  };
  return { disconnected, close };
}

/** Creates the provider, warm unless the configuration says otherwise. Throws INVALID_CONFIG. */
function openProvider(
  { config: given, provider: own }: ServeMcpOptions,
  maxJobs: number,
): {
  readonly provider: ResponseProvider;
  readonly config: Readonly<Record<string, unknown>>;
  readonly ceiling: CallCeiling;
} {
  const config = { transport: 'acp', pool: { sessionsPerProcess: Math.max(8, maxJobs) }, ...given };
  const provider = own ?? GeminiCliProvider.fromConfig(config);
  const { approvalMode, allowedTools } = normaliseKeys(config).values;
  const rules = Array.isArray(allowedTools) ? allowedTools.map(String) : [];
  return { provider, config, ceiling: new CallCeiling(approvalMode, rules) };
}
