import { ProviderError } from '../../base/errors/provider-error.js';
import { doomedExitCode } from '../exit-status.js';
import { type Output, print, printJson } from '../output/output.js';
import { describePlanFailure } from '../output/plan-problems.js';
import { describeFailure } from '../output/progress.js';
import { remarkOnFlags } from '../output/terminal-hint.js';

/** Waits for a batch. Prints an error that ended the batch, with all its causes, and returns the exit code. */
export async function explainFailure(
  ending: Promise<number>,
  flags: { readonly json?: boolean },
  output: Output,
): Promise<number> {
  try {
    return await ending;
  } catch (error) {
    if (!ProviderError.isInstance(error)) throw error;
    const causes = causesOf(error);
    if (flags.json === true) {
      const several = causes.length > 1 ? { causes } : {};
      await printJson(output.stdout, { ok: false, error, ...several });
    } else {
      const { paint } = output.stderr;
      const texts = causes.map((cause) => {
        const data = cause.toJSON();
        return describePlanFailure(data, paint) ?? describeFailure(data, paint, 'batch');
      });
      const remarks = remarkOnFlags(causes.map(({ hint }) => hint)).map((line) => paint.dim(line));
      await print(output.stderr, `${[...texts, ...remarks].join('\n')}\n`);
    }
    return doomedExitCode(error.code);
  }
}

function causesOf(error: ProviderError): readonly ProviderError[] {
  const { cause } = error;
  const all: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [];
  const causes = all.filter((one) => ProviderError.isInstance(one));
  return causes.length === 0 ? [error] : causes;
}
