import type { Finding } from '../../api/diagnosis.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { resolveIsolation, type TreeIsolation } from '../../base/process/isolation.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import { note, ok, problem } from './finding.js';

const CHECK = 'processes';

const DESCRIPTIONS: Readonly<Record<TreeIsolation['means'], string>> = {
  cgroup: 'A cgroup holds the processes of a step together',
  subreaper: 'A subreaper holds the processes of a step together',
  namespace: 'A PID namespace holds the processes of a step together',
  none: 'Processes of a step are found by parent, session, environment and resource limit',
};

/** Reports which means hold the processes of a step together, and why. */
export async function checkIsolation({
  processIsolation,
}: Pick<ResolvedConfig, 'processIsolation'>): Promise<Finding> {
  try {
    const { means, reason } = await resolveIsolation(processIsolation);
    const message = `${DESCRIPTIONS[means]} (${reason})`;
    if (means !== 'none' || process.platform !== 'linux') return ok(CHECK, message);
    const fix = 'A daemon that clears all of them may outlive a step: install perl.';
    return note(CHECK, message, processIsolation === 'off' ? undefined : fix);
  } catch (error) {
    if (!ProviderError.isInstance(error)) throw error;
    return problem(CHECK, error.message, error.hint, error.code);
  }
}
