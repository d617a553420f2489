import type { StepWarning, Usage } from '../api/result.js';
import type { DeniedTool } from '../api/tool.js';
import type { SessionEvidence } from '../sessions/files/read-session-evidence.js';
import { type SettledText, settleText } from '../sessions/files/settle-text.js';
import { judgeAcp } from './acp/judge-acp.js';
import type { TurnFindings } from './driver.js';
import { type DenialSettings, findDeniedTools } from './events/denied-tools.js';
import type { ToolCall, TurnFold } from './events/turn-fold.js';
import { judgeHeadless } from './headless/judge-headless.js';
import type { Verdict, VerdictEvidence } from './verdict/verdict.js';

export interface TurnEvidence {
  readonly findings: TurnFindings;
  readonly fold: TurnFold;
  /** What the session file says of the turn, where there is one. */
  readonly session?: SessionEvidence | undefined;
  readonly settings?: DenialSettings & {
    readonly expandAt?: boolean;
    readonly promptBytes?: number;
    readonly isResumed?: boolean;
    readonly hasHooks?: boolean;
  };
}

/** What one prompt has led to, but for the files. */
export interface EvaluatedTurn {
  readonly verdict: Verdict;
  readonly text: string;
  readonly deniedTools: readonly DeniedTool[];
  readonly warnings: readonly StepWarning[];
  readonly usage: Usage | undefined;
  readonly recovered: boolean;
}

/** Brings all evidence of a turn together, live or recorded: the verdict, and what the turn has produced. */
export function evaluateTurn({
  findings,
  fold,
  session,
  settings = {},
}: TurnEvidence): EvaluatedTurn {
  const { hasHooks, isResumed = false, expandAt = false } = settings;
  // A history or files may have come with the prompt: its own size then says nothing.
  const promptBytes = isResumed || expandAt ? undefined : settings.promptBytes;
  const verdict = judge(findings, { fold, session, promptBytes, hasHooks });
  const usage = chooseUsage(findings, session?.usage);
  const isUsageRecovered = usage !== undefined && findings.usage === undefined;
  const text = settleText(fold.answers, session?.answers);
  const isTextRecovered = text.correction === 'missing' || (verdict.ok && verdict.recovered);
  return {
    verdict,
    text: text.text,
    deniedTools: findDeniedTools(withUnseenRefusals(fold, session), settings),
    warnings: [...findings.warnings, ...describeText(text, session, expandAt)],
    usage,
    recovered: isTextRecovered || isUsageRecovered,
  };
}

function judge(findings: TurnFindings, evidence: VerdictEvidence): Verdict {
  return findings.transport === 'headless'
    ? judgeHeadless(findings.facts, evidence)
    : judgeAcp(findings.facts, evidence);
}

/** The session file also has the cached tokens, and the model that ran where the wire says `auto`. */
function chooseUsage(
  { usage: reported, isUsageComplete }: TurnFindings,
  recorded: Usage | undefined,
): Usage | undefined {
  if (isUsageComplete || reported === undefined || recorded === undefined) {
    return reported ?? recorded;
  }
  const usage = recorded.input >= reported.input ? recorded : reported;
  // The file may have the calls of a later turn in the record of an earlier one.
  return { ...usage, toolCalls: Math.max(reported.toolCalls, recorded.toolCalls) };
}

/** Refused calls that only the session file shows come last: the file does not say when they were made. */
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
  { correction }: SettledText,
  session: SessionEvidence | undefined,
  expandAt: boolean,
): StepWarning[] {
  const warnings: StepWarning[] = [];
  if (correction === 'repeated') {
    const message =
      'The CLI asked again after a broken answer and repeated its text; the session file shows what was final.';
    warnings.push({ code: 'TEXT_REPAIRED', message });
  }
  if (correction === 'missing') {
    const message = 'The output ended early; the session file supplied what was missing.';
    warnings.push({ code: 'RECOVERED', message });
  }
  if (!expandAt && (session?.promptParts.length ?? 0) > 1) {
    const message =
      'The CLI added something to the prompt (files, resources or agents named with @).';
    warnings.push({ code: 'PROMPT_EXPANDED', message });
  }
  return warnings;
}
