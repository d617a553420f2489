import type { BatchOptions } from '../../api/batch-options.js';
import type { ExpandedPlan } from '../../api/batch-plan.js';
import { cleanName } from '../../base/text/clean-text.js';
import type { PlannedRun } from '../../batch/run/plan-run.js';
import { doomedExitCode } from '../exit-status.js';
import { type Output, type Paint, print, printJson } from '../output/output.js';
import { describeHint, remarkOnFlags } from '../output/terminal-hint.js';

export interface DryRunFlags {
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** Prints what a run would do. Returns 0, or the exit code that the run would end with before its first step. */
export async function dryRun(
  plan: ExpandedPlan,
  options: BatchOptions,
  flags: DryRunFlags,
  output: Output,
): Promise<number> {
  const { planRun } = await import('../../batch/run/plan-run.js');
  const planned = await planRun(plan, options);
  const { outlook, causes, findings, running } = planned;
  if (flags.json === true) {
    const preflight = { ok: causes.length === 0, problems: causes, findings };
    const owner = running?.owner && { ...running.owner.owner, startedAt: running.owner.startedAt };
    await printJson(output.stdout, { ...hideVariables(plan), outlook, preflight, running: owner });
  } else {
    const { describeOutlook } = await import('../../batch/run/describe-outlook.js');
    const lines = describeOutlook(plan, outlook, options.config);
    await print(output.stdout, `${lines.join('\n')}\n`);
    if (flags.verbose === true) await printSteps(plan, planned, output);
    await print(output.stdout, `\n${describeChecks(planned, output.stdout.paint).join('\n')}\n`);
  }
  const [first] = causes;
  return first === undefined ? 0 : doomedExitCode(first.code);
}

async function printSteps(plan: ExpandedPlan, run: PlannedRun, output: Output): Promise<void> {
  const { describePlan } = await import('../../batch/plan/describe-plan.js');
  const next = new Map(
    run.outlook.steps.map(({ id, action, message }) => {
      return [id, message === '' ? action : `${action} (${message})`];
    }),
  );
  await print(output.stdout, `\n${describePlan(plan, (id) => next.get(id))}`);
}

/** Describes the checks of the run: the CLI that was found, and everything that would end the run. */
function describeChecks({ causes, findings, running }: PlannedRun, paint: Paint): string[] {
  const found = findings.filter(({ check, status }) => {
    return status === 'ok' && ['CLI', 'version', 'authentication', 'provider'].includes(check);
  });
  const facts = found.map(({ check, message }) =>
    cleanName(check === 'provider' ? message : `${check}: ${message}`),
  );
  const lines =
    causes.length === 0
      ? [`${paint.green('✓')} Preflight: ${['no problem', ...facts].join(' · ')}`]
      : causes.flatMap((cause) => {
          const [hint, ...details] = describeHint(cause, 'batch', paint);
          return [
            `${paint.red('✗')} ${paint.red(cause.code)} ${cleanName(cause.message)}`,
            `  ${paint.yellow('→')} ${hint}`,
            ...details,
          ];
        });
  if (causes.length > 0) lines.unshift('Preflight: the batch would end before its first step');
  lines.push(...remarkOnFlags(causes.map(({ hint }) => hint)).map((line) => paint.dim(line)));
  if (running?.owner !== undefined) {
    const { owner, startedAt } = running.owner;
    lines.push(
      `${paint.yellow('!')} The batch runs now (process ${owner.pid} on ${cleanName(owner.host)}, since ${startedAt}): this is what a run would do if it began now`,
    );
  }
  return lines;
}

/** Hides the values of `env`: they may be secrets, and printed plans end up in logs. Exported for its test. */
export function hideVariables(plan: ExpandedPlan): ExpandedPlan {
  const steps = plan.steps.map((step) => {
    const { env } = step.config;
    if (typeof env !== 'object' || env === null) return step;
    const hidden = Object.fromEntries(Object.keys(env).map((name) => [name, '(hidden)']));
    return { ...step, config: { ...step.config, env: hidden } };
  });
  return { ...plan, steps };
}
