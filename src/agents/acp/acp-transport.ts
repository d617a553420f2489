import { readFile } from 'node:fs/promises';
import { AcpConversation } from './acp-conversation.js';
import type { AcpOutcome, AcpRequest } from './acp-request.js';
import type { AgentPool } from './agent-pool.js';
import { judgeTurn } from './judge.js';
import type { Launch } from './launch.js';
import type { AgentProfile } from './profile.js';
import type { AgentEvent } from '../../api/agent-event.js';
import type { RunWarning, Usage } from '../../api/result.js';
import { hintForTool } from '../events/denied-tools.js';
import { describeRemarks } from '../events/describe-remarks.js';
import type { RunFold } from '../events/run-fold.js';
import type { PreparedPrompt } from '../../step/prompt/prepare-prompt.js';
import type { RunWitness } from '../../sessions/files/run-witness.js';
import { beginResume } from './resume-session.js';
import type { Stage } from '../stage.js';
import type { OpenConversation, TransportOutcome, TurnRequest } from '../transport.js';

export interface AcpTransportOptions {
  readonly pool: AgentPool;
  readonly profile: AgentProfile;
  /** How the agent is started for this step. */
  createLaunch(stage: Stage, prompt: PreparedPrompt, systemPrompt: string | undefined): Launch;
}

const REFUSED = { type: 'permission_rejected', message: '' };

/** Warm processes that serve one step after another. */
export function createAcpTransport(options: AcpTransportOptions): OpenConversation {
  return (stage, signal = new AbortController().signal) => {
    let conversation: AcpConversation | undefined;
    return {
      canGoOn: () => conversation?.isHeld ?? false,
      close: () => conversation?.close(),
      say: async function* (turn: TurnRequest): AsyncGenerator<AgentEvent, TransportOutcome> {
        const { prompt, directory, spentMs, mayGoOn } = turn;
        conversation ??= new AcpConversation(await createRequest(options, stage, turn, signal));
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
  { pool, profile, createLaunch }: AcpTransportOptions,
  stage: Stage,
  { prompt, directory }: TurnRequest,
  signal: AbortSignal,
): Promise<AcpRequest> {
  const { config } = stage;
  const { systemPromptFile: file } = prompt;
  const systemPrompt = file === undefined ? undefined : await readFile(file, 'utf8');
  const resume = await beginResume(stage, directory, signal);
  return {
    pool,
    launch: createLaunch(stage, prompt, systemPrompt),
    profile,
    spec: { cwd: stage.workingDir, mcpServers: config.mcpServers },
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
    signal,
    logger: stage.logger,
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
    startedAtMs: outcome.startedAtMs,
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
  const usage = recorded.input >= reported.input ? recorded : reported;
  // The file may have the calls of a later turn in the record of an earlier one.
  return { ...usage, toolCalls: Math.max(reported.toolCalls, recorded.toolCalls) };
}

function describe({ processesLeft }: AcpOutcome, { remarks }: RunFold): RunWarning[] {
  const warnings = describeRemarks(remarks);
  if (processesLeft === 0) return warnings;
  const message = `Processes that the run had left behind, and that were ended: ${processesLeft}.`;
  return [...warnings, { code: 'PROCESSES_LEFT', message, count: processesLeft }];
}
