import { cleanLine } from '../../base/text/clean-text.js';
import { claimStdout } from '../../engines/mcp/claim-stdout.js';
import { serveMcp } from '../../engines/mcp/serve-mcp.js';
import { EXIT_CODES } from '../exit-status.js';
import { type Output, print } from '../output/output.js';
import { rewriteHint } from '../output/terminal-hint.js';
import { listenToSignals } from '../signals.js';

/** Most problems of the protocol that are printed. A client that sends garbage must not fill the disk with a log. */
const MOST_PROBLEMS = 100;

export interface ServeRequest {
  readonly config: Readonly<Record<string, unknown>>;
  readonly roots: readonly string[];
  readonly maxJobs?: number | undefined;
  readonly stateDir?: string | undefined;
  readonly output: Output;
}

/** Serves other agents until the client closes the connection, or a signal ends the server. Returns the exit code. */
export async function serveAgents({ output, ...options }: ServeRequest): Promise<number> {
  const { stdin } = process;
  const stdout = claimStdout();
  const end = new AbortController();
  const signals = listenToSignals(output, {
    onInterrupt: (count) => {
      if (count > 1) process.exit(EXIT_CODES.CANCELLED);
      end.abort();
    },
    onEnd: () => end.abort(),
  });
  let problems = 0;
  try {
    const server = await serveMcp({
      ...options,
      stdin,
      stdout,
      rewriteHint: (hint) => rewriteHint(hint, 'run'),
      onProblem: (message) => {
        problems++;
        if (problems <= MOST_PROBLEMS) void print(output.stderr, `${cleanLine(message)}\n`);
      },
    });
    await Promise.race([
      server.disconnected,
      new Promise<void>((resolve) => {
        if (end.signal.aborted) resolve();
        else end.signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    ]);
    await server.close();
    return signals.hangupExitCode ?? 0;
  } finally {
    signals.forget();
    // An open stdin would keep the process alive.
    stdin.destroy();
  }
}
