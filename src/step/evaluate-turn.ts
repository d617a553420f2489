import type { TurnOutcome } from '../agents/driver.js';
import { type DenialSettings, findDeniedTools } from '../agents/events/denied-tools.js';
import type { ToolCall, TurnFold } from '../agents/events/turn-fold.js';
import type { Verdict } from '../agents/verdict/verdict.js';
import type { StepWarning, Usage } from '../api/result.js';
import type { DeniedTool } from '../api/tool.js';
import type { SessionEvidence } from '../sessions/files/read-session-evidence.js';
import { type SettledText, settleText } from '../sessions/files/settle-text.js';

export interface TurnEvidence {
  readonly fold: TurnFold;
  readonly outcome: TurnOutcome;
  readonly witness: SessionEvidence | undefined;
  readonly settings: DenialSettings & {
    readonly expandAt: boolean;
    readonly promptBytes: number;
    readonly isResumed: boolean;
    readonly hasHooks: boolean;
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

/** Brings all witnesses together: the verdict, and what the turn has produced. */
export function evaluateTurn({ fold, outcome, witness, settings }: TurnEvidence): EvaluatedTurn {
  const { hasHooks, isResumed, expandAt } = settings;
  const promptBytes = isResumed || expandAt ? undefined : settings.promptBytes;
  const verdict = outcome.judge({ fold, witness, promptBytes, hasHooks });
  const usage = outcome.usageOf(witness);
  const isUsageRecovered = usage !== undefined && outcome.usageOf(undefined) === undefined;
  const text = settleText(fold.answers, witness?.answers);
  const isTextRecovered = text.correction === 'missing' || (verdict.ok && verdict.recovered);
  return {
    verdict,
    text: text.text,
    deniedTools: findDeniedTools(withUnseenRefusals(fold, witness), settings),
    warnings: [...outcome.warningsOf(fold), ...describeText(text, witness, expandAt)],
    usage,
    recovered: isTextRecovered || isUsageRecovered,
  };
}

/** Those that only the session file shows come last: it does not say when they were made. */
function withUnseenRefusals(
  fold: TurnFold,
  witness: SessionEvidence | undefined,
): readonly ToolCall[] {
  const seen = new Map(fold.toolCalls.map((call) => [call.id, call]));
  const calls = (witness?.refusedCalls ?? []).map((refused) => {
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
  witness: SessionEvidence | undefined,
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
  if (!expandAt && (witness?.promptParts.length ?? 0) > 1) {
    const message =
      'The CLI added something to the prompt (files, resources or agents named with @).';
    warnings.push({ code: 'PROMPT_EXPANDED', message });
  }
  return warnings;
}
