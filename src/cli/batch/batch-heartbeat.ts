import { cleanName } from '../../base/text/clean-text.js';
import { formatCountdown } from '../output/format-numbers.js';
import type { BatchProgress } from './batch-progress.js';
import { describeFinishing, describePhase, describeRetrying, describeTime } from './batch-rows.js';
import { describePause } from './describe-pause.js';

/** Maximum number of steps that the line names. */
const MOST_STEPS = 8;

/** Returns the line of a log that tells what runs and for how long; undefined if nothing runs. */
export function describeHeartbeat(progress: BatchProgress, nowMs: number): string | undefined {
  const { atWork } = progress;
  const pauseMs = progress.pausedUntilMs - nowMs;
  const named = atWork.slice(0, MOST_STEPS).map((step) => {
    const activity = describePhase(step, nowMs);
    return cleanName(`${step.id} (${activity}, ${describeTime(step, nowMs)})`);
  });
  const more = atWork.length - named.length;
  const parts = [
    ...(named.length === 0 ? [] : [`${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]),
    ...[describeFinishing(progress), describeRetrying(progress, nowMs)]
      .filter((text) => text !== undefined)
      .map((text) => text.trim()),
    ...(pauseMs > 0
      ? [`${describePause(progress.pauseCause)}, no step starts for ${formatCountdown(pauseMs)}`]
      : []),
  ];
  return parts.length === 0 ? undefined : `… at work: ${parts.join(' · ')}`;
}
