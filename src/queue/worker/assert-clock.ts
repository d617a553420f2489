import { ProviderError } from '../../base/errors/provider-error.js';
import type { StoreClock } from '../store/store-clock.js';
import type { StoreAddress } from '../store/store-url.js';

/**
 * Throws INVALID_CONFIG if the clock of this machine is too far from that of the store. BullMQ writes the ends of locks by the
 * clock of each worker on PostgreSQL, so that workers with other clocks would take each other's jobs for lost.
 */
export function assertClock(
  clock: Pick<StoreClock, 'offsetMs' | 'describe'>,
  address: Pick<StoreAddress, 'kind'>,
  lockMs: number,
): void {
  const { offsetMs } = clock;
  if (address.kind !== 'postgres' || Math.abs(offsetMs) < lockMs / 2) return;
  const problem = clock.describe() ?? 'The clocks of this machine and of the store differ';
  throw new ProviderError({
    code: 'INVALID_CONFIG',
    message: `${problem}. A worker of a queue on PostgreSQL would lose its jobs to other workers`,
    hint: 'Set the clock of this machine, or raise `lockTime` (--lock-time) on all workers.',
  });
}
