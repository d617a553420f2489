import type { Environment } from '../../base/process/environment.js';
import { formatTraceparent, type TracePosition } from '../../base/text/traceparent.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import { geminiHomeOf } from '../../sessions/files/gemini-home.js';
import { buildChildEnvironment } from './child-environment.js';

const RESOURCE_ATTRIBUTES = 'OTEL_RESOURCE_ATTRIBUTES';

export interface AgentEnvironment {
  /** Environment variables of the CLI process. */
  readonly env: Readonly<Record<string, string>>;
  /** Home folder that the CLI derives from these variables. */
  readonly geminiHome: string;
}

/** Builds the environment of the CLI for one step. The tag in it lets the provider find the CLI's processes. */
export function createAgentEnvironment(
  config: Pick<ResolvedConfig, 'inheritEnv' | 'env' | 'trustWorkspace' | 'sandbox'>,
  environment: Environment,
  processTag: string,
  traced?: TracePosition,
): AgentEnvironment {
  const env = buildChildEnvironment({
    parent: environment,
    inheritAll: config.inheritEnv,
    additions: { ...config.env, ...(traced && toTraceVariables(traced, config.env, environment)) },
    settings: settingsOf(config),
    processTag,
  });
  return { env, geminiHome: geminiHomeOf(env) };
}

/** Names the position in the trace for the CLI's own export. The CLI ignores TRACEPARENT, and sends resource attributes. */
function toTraceVariables(
  position: TracePosition,
  given: ResolvedConfig['env'],
  environment: Environment,
): Record<string, string> {
  const { traceId, spanId } = position;
  const own = `gemini_cli_provider.trace_id=${traceId},gemini_cli_provider.span_id=${spanId}`;
  const asked = given[RESOURCE_ATTRIBUTES];
  const others = asked === true ? environment[RESOURCE_ATTRIBUTES] : asked;
  return {
    TRACEPARENT: formatTraceparent(position),
    [RESOURCE_ATTRIBUTES]: others ? `${others},${own}` : own,
  };
}

/** Removes an inherited variable if its option is off. The caller can still set the variable through `env`. */
function settingsOf({
  trustWorkspace,
  sandbox,
}: Pick<ResolvedConfig, 'trustWorkspace' | 'sandbox'>): Record<string, string | undefined> {
  return {
    GEMINI_CLI_TRUST_WORKSPACE: trustWorkspace ? 'true' : undefined,
    // With `true` the CLI chooses the sandbox command, so an inherited GEMINI_SANDBOX stays.
    ...(sandbox === true ? {} : { GEMINI_SANDBOX: sandbox === false ? undefined : sandbox }),
  };
}
