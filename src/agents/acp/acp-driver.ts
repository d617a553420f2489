import { readFile } from 'node:fs/promises';
import type { AgentEvent } from '../../api/agent-event.js';
import type { StepWarning, Usage } from '../../api/result.js';
import type { SessionEvidence } from '../../sessions/files/read-session-evidence.js';
import type { OpenAgentSession, PreparedPrompt, TurnOutcome, TurnRequest } from '../driver.js';
import { hintForTool } from '../events/denied-tools.js';
import { describeRemarks } from '../events/describe-remarks.js';
import type { TurnFold } from '../events/turn-fold.js';
import type { ResolvedStep } from '../resolve-step.js';
import type { AcpOutcome, AcpRequest } from './acp-request.js';
import { AcpSession } from './acp-session.js';
import type { AgentPool } from './agent-pool.js';
import { judgeAcp } from './judge-acp.js';
import type { Launch } from './launch.js';
import type { AgentProfile } from './profile.js';
import { beginResume } from './resume-session.js';

export interface AcpDriverOptions {
  readonly pool: AgentPool;
  readonly profile: AgentProfile;
  /** How the agent is started for this step. */
  createLaunch(
    resolved: ResolvedStep,
    prompt: PreparedPrompt,
    systemPrompt: string | undefined,
  ): Launch;
}

const REFUSED = { type: 'permission_rejected', message: '' };

/** Warm processes that serve one step after another. */
export function createAcpDriver(options: AcpDriverOptions): OpenAgentSession {
  return (resolved, signal = new AbortController().signal) => {
    let conversation: AcpSession | undefined;
    return {
      canContinue: () => conversation?.isHeld ?? false,
      close: () => conversation?.close(),
      prompt: async function* (turn: TurnRequest): AsyncGenerator<AgentEvent, TurnOutcome> {
        const { prompt, directory, spentMs, mayContinue: mayGoOn } = turn;
        conversation ??= new AcpSession(await createRequest(options, resolved, turn, signal));
        let toolCalls = 0;
        const outcome = yield* conversation.say({
          prompt: prompt.text,
          queueFile: directory.file('events.ndjson'),
          spentMs,
          mayGoOn,
          observe: (event) => {
            if (event.type === 'tool-invocation') toolCalls++;
            return turn.observe(event);
          },
        });
        return toTransportOutcome(outcome, options.profile, toolCalls);
      },
    };
  };
}

async function createRequest(
  { pool, profile, createLaunch }: AcpDriverOptions,
  resolved: ResolvedStep,
  { prompt, directory }: TurnRequest,
  signal: AbortSignal,
): Promise<AcpRequest> {
  const { config } = resolved;
  const { systemPromptFile: file } = prompt;
  const systemPrompt = file === undefined ? undefined : await readFile(file, 'utf8');
  const resume = await beginResume(resolved, directory, signal);
  return {
    pool,
    launch: createLaunch(resolved, prompt, systemPrompt),
    profile,
    spec: { cwd: resolved.workingDir, mcpServers: config.mcpServers },
    approvalMode: config.approvalMode,
    model: config.model,
    resume: resume?.sessionId,
    onResumed: async () => resume?.check(),
    permissions: config,
    hintFor: (call) => {
      const isOtherAgent = resolved.cliSettings === undefined;
      const refused = { ...call, name: call.toolName, error: REFUSED };
      return hintForTool(refused, { ...config, isOtherAgent });
    },
    limits: config,
    maxAttempts: config.maxCliAttempts,
    workspaceDirs: resolved.workspaceDirs,
    env: resolved.env,
    clientFiles: config.clientFiles,
    clientTerminals: config.clientTerminals,
    signal,
    logger: resolved.logger,
  };
}

function toTransportOutcome(
  outcome: AcpOutcome,
  profile: AgentProfile,
  toolCalls: number,
): TurnOutcome {
  const reported = profile.readUsage(outcome.response, toolCalls, outcome.toldUsage);
  return {
    transport: 'acp',
    startedAtMs: outcome.startedAtMs,
    end: { ...outcome.death, stderr: outcome.stderr, stopReason: outcome.ownEnd },
    edits: outcome.edits,
    call: { args: outcome.args },
    reportFiles: outcome.reportFiles,
    agentVersion: outcome.agentVersion,
    judge: ({ fold }) => judgeAcp(outcome, fold, profile),
    usageOf: (witness) => chooseUsage(reported, witness),
    warningsOf: (fold) => describe(outcome, fold),
  };
}

/** The session file also has the cached tokens, and the model that ran where the wire says `auto`. */
function chooseUsage(
  reported: Usage | undefined,
  witness: SessionEvidence | undefined,
): Usage | undefined {
  const recorded = witness?.usage;
  if (reported === undefined || recorded === undefined) return reported ?? recorded;
  const usage = recorded.input >= reported.input ? recorded : reported;
  // The file may have the calls of a later turn in the record of an earlier one.
  return { ...usage, toolCalls: Math.max(reported.toolCalls, recorded.toolCalls) };
}

function describe({ processesLeft }: AcpOutcome, { remarks }: TurnFold): StepWarning[] {
  const warnings = describeRemarks(remarks);
  if (processesLeft === 0) return warnings;
  const message = `Processes that the run had left behind, and that were ended: ${processesLeft}.`;
  return [...warnings, { code: 'PROCESSES_LEFT', message, count: processesLeft }];
}
