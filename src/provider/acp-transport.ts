import { readFile } from 'node:fs/promises';
import type { AcpOutcome } from '../acp/acp-request.js';
import type { AgentPool } from '../acp/agent-pool.js';
import { judgeTurn } from '../acp/judge.js';
import type { Launch } from '../acp/launch.js';
import type { AgentProfile } from '../acp/profile.js';
import { runAcp } from '../acp/run-acp.js';
import type { AgentEvent } from '../contract/agent-event.js';
import type { RunWarning, Usage } from '../contract/result.js';
import { hintForTool } from '../events/denied-tools.js';
import { describeRemarks } from '../events/describe-remarks.js';
import type { RunFold } from '../events/run-fold.js';
import type { RunWitness } from '../session/run-witness.js';
import { beginResume } from './resume-session.js';
import type { RunOverTransport, TransportOutcome, TransportRequest } from './transport.js';

export interface AcpTransportOptions {
  readonly pool: AgentPool;
  readonly profile: AgentProfile;
  /** How the agent is started for this step. */
  createLaunch(request: TransportRequest, systemPrompt: string | undefined): Launch;
}

const REFUSED = { type: 'permission_rejected', message: '' };

/** Warm processes that serve one step after another. */
export function createAcpTransport(options: AcpTransportOptions): RunOverTransport {
  return async function* (request: TransportRequest): AsyncGenerator<AgentEvent, TransportOutcome> {
    const { stage, prompt, directory } = request;
    const { config } = stage;
    const { systemPromptFile: file } = prompt;
    const systemPrompt = file === undefined ? undefined : await readFile(file, 'utf8');
    const signal = request.signal ?? new AbortController().signal;
    const resume = await beginResume(stage, directory, signal);
    const fold = { toolCalls: 0 };
    const outcome = yield* runAcp({
      pool: options.pool,
      launch: options.createLaunch(request, systemPrompt),
      profile: options.profile,
      spec: { cwd: stage.workingDir, mcpServers: config.mcpServers },
      prompt: prompt.text,
      approvalMode: config.approvalMode,
      model: config.model,
      resume: resume?.sessionId,
      onResumed: async () => resume?.check(),
      permissions: config,
      hintFor: (call) => {
        const isOtherAgent = stage.cliSettings === undefined;
        const refused = { ...call, name: call.toolName, error: REFUSED };
        return hintForTool(refused, { ...config, isOtherAgent });
      },
      limits: config,
      maxAttempts: config.maxCliAttempts,
      workspaceDirs: stage.workspaceDirs,
      env: stage.env,
      clientFiles: config.clientFiles,
      clientTerminals: config.clientTerminals,
      queueFile: directory.file('events.ndjson'),
      signal,
      logger: stage.logger,
      observe: (event) => {
        if (event.type === 'tool-invocation') fold.toolCalls++;
        return request.observe(event);
      },
    });
    return toTransportOutcome(outcome, options.profile, fold.toolCalls);
  };
}

function toTransportOutcome(
  outcome: AcpOutcome,
  profile: AgentProfile,
  toolCalls: number,
): TransportOutcome {
  const reported = profile.readUsage(outcome.response, toolCalls, outcome.toldUsage);
  return {
    transport: 'acp',
    end: { ...outcome.death, stderr: outcome.stderr, ownEnd: outcome.ownEnd },
    edits: outcome.edits,
    call: { args: outcome.args },
    reportFiles: outcome.reportFiles,
    agentVersion: outcome.agentVersion,
    judge: ({ fold }) => judgeTurn(outcome, fold, profile),
    usageOf: (witness) => chooseUsage(reported, witness),
    warningsOf: (fold) => describe(outcome, fold),
  };
}

/** The session file also has the cached tokens, and the model that ran where the wire says `auto`. */
function chooseUsage(
  reported: Usage | undefined,
  witness: RunWitness | undefined,
): Usage | undefined {
  const recorded = witness?.usage;
  if (reported === undefined || recorded === undefined) return reported ?? recorded;
  return recorded.input >= reported.input ? recorded : reported;
}

function describe({ processesLeft }: AcpOutcome, { remarks }: RunFold): RunWarning[] {
  const warnings = describeRemarks(remarks);
  if (processesLeft === 0) return warnings;
  const message = `Processes that the run had left behind, and that were ended: ${processesLeft}.`;
  return [...warnings, { code: 'PROCESSES_LEFT', message, count: processesLeft }];
}
