import { z } from 'zod';
import type { Diagnosis } from '../../api/diagnosis.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { readPackageVersion } from '../../base/fs/package-version.js';
import { readEnvironment } from '../../base/process/environment.js';
import { answersWithin } from '../../base/process/timing.js';
import { geminiHomeOf } from '../../sessions/files/gemini-home.js';
import { listSessions } from '../../sessions/list/list-sessions.js';
import { diagnose } from '../../step/doctor/diagnose.js';
import { capRemark } from './cap-text.js';
import type { RewriteHint } from './map-job.js';
import type { McpServerParts } from './mcp-server-parts.js';

const MOST_SESSIONS = 10;
const MOST_JOBS = 60;
/** Longest wait for the checks, which start the CLI for its version. */
const LONGEST_CHECK_MS = 40_000;

const text = z.string();

/** Structured result of `gemini_status`. */
export const statusSchema = z.object({
  ok: z.boolean().describe('False if a step would fail'),
  findings: z.array(
    z.object({
      check: text,
      status: z.enum(['ok', 'note', 'problem']),
      message: text,
      fix: text.optional(),
    }),
  ),
  server: z.object({
    version: text,
    roots: z.array(text),
    maxJobs: z.number(),
    running: z.number(),
    waiting: z.number(),
    mayEdit: z.boolean(),
    shell: z.enum(['all', 'some', 'none']).describe('Shell commands that allowShell permits'),
  }),
  jobs: z.array(
    z.object({
      jobId: text,
      tool: text,
      state: text,
      cwd: text,
      elapsedMs: z.number(),
      activity: text.optional(),
      patch: text.optional(),
    }),
  ),
  sessions: z.array(
    z.object({
      sessionId: text,
      updatedAt: text,
      firstPrompt: text.optional(),
      model: text.optional(),
    }),
  ),
});

export type ServerStatus = z.infer<typeof statusSchema>;

/** Describes the installation, the server, its jobs and the last sessions of a folder. Never calls the model. */
export async function describeServer(cwd: string, parts: McpServerParts): Promise<ServerStatus> {
  const { jobs, roots, ceiling, maxJobs, config, rewriteHint } = parts;
  const [diagnosis, sessions] = await Promise.all([
    answersWithin(() => diagnose({ ...config, workingDir: cwd }), LONGEST_CHECK_MS),
    findSessions(cwd, config),
  ]);
  return {
    ...mapDiagnosis(diagnosis ?? silent(), rewriteHint),
    server: {
      version: readPackageVersion(),
      roots: [...roots.folders],
      maxJobs,
      running: jobs.running,
      waiting: jobs.waiting,
      mayEdit: ceiling.mayEdit,
      shell: ceiling.shell,
    },
    jobs: jobs
      .list()
      .slice(0, MOST_JOBS)
      .map((job) => ({
        jobId: job.id,
        tool: job.tool,
        state: job.state,
        cwd: job.cwd,
        elapsedMs: job.elapsedMs,
        activity: job.hasEnded ? undefined : job.activity,
        patch: job.outcome.patch?.state,
      })),
    sessions,
  };
}

function mapDiagnosis(
  { ok, findings }: Diagnosis,
  rewriteHint: RewriteHint,
): Pick<ServerStatus, 'ok' | 'findings'> {
  return {
    ok,
    findings: findings.map(({ check, status, message, fix }) => {
      return { check, status, message: capRemark(message), fix: fix && rewriteHint(fix) };
    }),
  };
}

function silent(): Diagnosis {
  const message = `The checks have not ended within ${LONGEST_CHECK_MS / 1000} seconds`;
  return { ok: false, findings: [{ check: 'doctor', status: 'problem', message }] };
}

async function findSessions(
  projectDir: string,
  config: McpServerParts['config'],
): Promise<ServerStatus['sessions']> {
  const env = config['env'];
  const given = typeof env === 'object' && env !== null ? Object.entries(env) : [];
  const set = given.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const geminiHome = geminiHomeOf({ ...readEnvironment(), ...Object.fromEntries(set) });
  try {
    const found = await listSessions({ projectDir, geminiHome, limit: MOST_SESSIONS });
    return found.map(({ id, updatedAt, firstPrompt, model }) => ({
      sessionId: id,
      updatedAt,
      firstPrompt: firstPrompt === undefined ? undefined : capRemark(firstPrompt),
      model,
    }));
  } catch (error) {
    // Sessions that cannot be read must not hide the other findings.
    if (ProviderError.isInstance(error)) return [];
    throw error;
  }
}
