import type { ClientFileHooks } from './client-file-hooks.js';
import type { Duration } from './duration.js';
import type { McpServer } from './mcp-server.js';
import type { OnPermission } from './permission.js';
import type { PoolOptions, WarmPool } from './warm-pool.js';

/** Reaction to a tool call that needs a permission and that no rule allows. */
export type Unattended = 'reject' | 'fail';

/** Options of steps with `transport: 'acp'`. They are part of `ProviderConfig`. */
export interface AcpOptions {
  /**
   * With `acp`: options of the provider's own pool, or an `AgentPool` to share.
   *
   * @defaultValue `{}`: one process, eight steps at the same time
   */
  readonly pool?: PoolOptions | WarmPool | undefined;
  /**
   * With `acp`: MCP servers for the session, beside those in the settings.
   *
   * @defaultValue `[]`
   */
  readonly mcpServers?: McpServer | readonly McpServer[] | undefined;
  /**
   * With `acp`: function that decides each permission request in place of the rules.
   *
   * @defaultValue the rules decide
   */
  readonly onPermission?: OnPermission | undefined;
  /**
   * With `acp`: time for `onPermission`, in seconds or as `2m`. After it the request is rejected.
   *
   * @defaultValue `60`
   */
  readonly permissionTimeout?: Duration | undefined;
  /**
   * With `acp`: reaction to a tool call that no rule allows: `reject` the call, or `fail` the step.
   *
   * @defaultValue `'reject'`
   */
  readonly unattended?: Unattended | undefined;
  /**
   * With `acp`: let the agent read and write text files through this package, inside the workspace. Hooks may refuse
   * each access.
   *
   * @defaultValue `false`
   */
  readonly clientFiles?: boolean | ClientFileHooks | undefined;
  /**
   * With `acp`: let the agent run commands through this package, as far as the rules allow them.
   *
   * @defaultValue `false`
   */
  readonly clientTerminals?: boolean | undefined;
}
