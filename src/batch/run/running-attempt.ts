import type { PlannedStep } from '../../api/batch-plan.js';
import type { JobReport } from '../../api/job-report.js';
import type { AttemptWatch } from './attempt-watch.js';

/** An attempt whose agent has ended. */
export interface EndedAttempt {
  readonly step: PlannedStep;
  readonly attempt: number;
  readonly waitedMs?: number | undefined;
  readonly job?: JobReport | undefined;
  readonly generationId: string | undefined;
}

/** An attempt whose agent is at work. */
export interface RunningAttempt {
  readonly step: PlannedStep;
  readonly attempt: number;
  readonly prompt: string;
  readonly key: string;
  readonly watch: AttemptWatch;
}
