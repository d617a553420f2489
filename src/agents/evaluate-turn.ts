import type { StepWarning, Usage } from '../api/result.js';
import type { DeniedTool } from '../api/tool.js';
import type { RequestTokens } from '../base/usage/estimate-cost.js';
import { fillUsage } from '../base/usage/fill-usage.js';
import type { SessionEvidence } from '../sessions/files/read-session-evidence.js';
import { type ReconciledText, reconcileText } from '../sessions/files/reconcile-text.js';
import { judgeAcp } from './acp/judge-acp.js';
import type { TurnFindings } from './driver.js';
import { type DenialSettings, findDeniedTools } from './events/denied-tools.js';
import type { ToolCall, TurnFold } from './events/turn-fold.js';
import { judgeHeadless } from './headless/judge-headless.js';
import type { Verdict, VerdictEvidence } from './verdict/verdict.js';

export interface TurnEvidence {
  readonly findings: TurnFindings;
  readonly fold: TurnFold;
  /** Evidence from the session file, if there is one. */
  readonly session?: SessionEvidence | undefined;
  readonly settings?: DenialSettings & {
    readonly expandAt?: boolean;
    readonly promptBytes?: number;
    readonly isResumed?: boolean;
    readonly hasHooks?: boolean;
  };
}

/** Outcome of one turn, without the file changes. */
export interface EvaluatedTurn {
  readonly verdict: Verdict;
  readonly text: string;
  readonly deniedTools: readonly DeniedTool[];
  readonly warnings: readonly StepWarning[];
  readonly usage: Usage | undefined;
  /** Requests of the turn that the session file knows, for prices that depend on the size of a request. */
  readonly requests: readonly RequestTokens[];
  readonly recovered: boolean;
}

/** Combines all evidence of a turn, live or recorded, into the verdict and the products of the turn. */
export function evaluateTurn({
  findings,
  fold,
  session,
  settings = {},
}: TurnEvidence): EvaluatedTurn {
  const { hasHooks, isResumed = false, expandAt = false } = settings;
  // History or files may have been sent with the prompt: the size of the prompt alone then proves nothing.
  const promptBytes = isResumed || expandAt ? undefined : settings.promptBytes;
  const verdict = judge(findings, { fold, session, promptBytes, hasHooks });
  const usage = chooseUsage(findings, session?.usage);
  const isUsageRecovered = usage !== undefined && findings.usage === undefined;
  const text = reconcileText(fold.answers, session?.answers);
  const isTextRecovered = text.correction === 'missing' || (verdict.ok && verdict.recovered);
  return {
    verdict,
    text: text.text,
    deniedTools: findDeniedTools(withUnseenRefusals(fold, session), settings),
    warnings: [...findings.warnings, ...describeText(text, session, expandAt)],
    usage,
    requests: session?.requests ?? [],
    recovered: isTextRecovered || isUsageRecovered,
  };
}

function judge(findings: TurnFindings, evidence: VerdictEvidence): Verdict {
  return findings.transport === 'headless'
    ? judgeHeadless(findings.facts, evidence)
    : judgeAcp(findings.facts, evidence);
}

/**
 * Prefers the usage of the session file to an incomplete report: the file has cached tokens and thoughts, and the real
 * model if the wire says `auto`.
 */
function chooseUsage(
  { transport, usage: reported, isUsageComplete }: TurnFindings,
  recorded: Usage | undefined,
): Usage | undefined {
  if (reported === undefined || recorded === undefined) return reported ?? recorded;
  if (transport === 'headless') return isUsageComplete ? fillUsage(reported, recorded) : recorded;
  const isWhole = recorded.input >= reported.input;
  const usage = isWhole ? recorded : fillUsage(reported, recorded);
  // The session file may count calls of a later turn in the entry of an earlier one.
  return { ...usage, toolCalls: Math.max(reported.toolCalls, recorded.toolCalls) };
}

/** Appends refused calls that only the session file shows: the file does not tell their position among the others. */
function withUnseenRefusals(
  fold: TurnFold,
  session: SessionEvidence | undefined,
): readonly ToolCall[] {
  const seen = new Map(fold.toolCalls.map((call) => [call.id, call]));
  const calls = (session?.refusedCalls ?? []).map((refused) => {
    return { ...seen.get(refused.id), ...refused, outcome: 'failed' as const };
  });
  const refusedIds = new Set(calls.map(({ id }) => id));
  const shown = fold.toolCalls.filter(({ id, error }) => {
    return !refusedIds.has(id) || error?.type !== 'tool_failed';
  });
  const shownIds = new Set(shown.map(({ id }) => id));
  return [...shown, ...calls.filter(({ id }) => !shownIds.has(id))];
}

function describeText(
  { correction }: ReconciledText,
  session: SessionEvidence | undefined,
  expandAt: boolean,
): StepWarning[] {
  const warnings: StepWarning[] = [];
  if (correction === 'repeated') {
    const message =
      'The CLI repeated its text after a broken answer; the session file supplied the final text.';
    warnings.push({ code: 'TEXT_REPAIRED', message });
  }
  if (correction === 'missing') {
    const message = 'The output ended early; the session file supplied the missing text.';
    warnings.push({ code: 'RECOVERED', message });
  }
  if (!expandAt && (session?.promptParts.length ?? 0) > 1) {
    const message =
      'The CLI added content to the prompt (files, resources or agents named with @).';
    warnings.push({ code: 'PROMPT_EXPANDED', message });
  }
  return warnings;
}
