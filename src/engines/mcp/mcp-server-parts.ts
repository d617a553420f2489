import type { ResponseProvider } from '../../api/response-provider.js';
import type { CallCeiling } from './call-ceiling.js';
import type { JobTable } from './job-table.js';
import type { RewriteHint } from './map-job.js';
import type { ServerState } from './server-state.js';
import type { WorkspaceRoots } from './workspace-roots.js';

/** What the tools of the server work with. */
export interface McpServerParts {
  readonly provider: ResponseProvider;
  /** Configuration of the provider, as it was given. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly roots: WorkspaceRoots;
  readonly ceiling: CallCeiling;
  readonly jobs: JobTable;
  readonly maxJobs: number;
  readonly state: ServerState;
  readonly rewriteHint: RewriteHint;
}
