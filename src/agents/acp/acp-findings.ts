import type { AcpFindings } from '../driver.js';
import { describeProcessesLeft, describeRemarks } from '../events/describe-remarks.js';
import type { TurnFold } from '../events/turn-fold.js';
import type { AcpFacts } from './acp-facts.js';

/** Builds the findings of a turn over ACP: the facts for the verdict, the tokens and the warnings. */
export function collectAcpFindings(
  facts: AcpFacts,
  fold: Pick<TurnFold, 'remarks' | 'toolCalls'>,
  processesLeft: number,
): AcpFindings {
  const { profile, response, streamedUsage } = facts;
  return {
    transport: 'acp',
    facts,
    usage: profile.readUsage(response, fold.toolCalls.length, streamedUsage),
    isUsageComplete: false,
    warnings: [...describeRemarks(fold.remarks), ...describeProcessesLeft(processesLeft)],
  };
}
