import { AgentPool } from '../agents/acp/agent-pool.js';
import type { PoolOptions, WarmPool } from '../api/warm-pool.js';
import { ProviderError } from '../base/errors/provider-error.js';

/** Pool of one provider: a given one, or one of its own that is created at first use. */
export class ProviderPool {
  #pool: AgentPool | undefined;

  /** Returns the given pool, or the own pool with the given options. */
  choose(given: PoolOptions | WarmPool): AgentPool {
    if (given instanceof AgentPool) return given;
    if ('kind' in given) {
      throw new ProviderError({
        code: 'INVALID_CONFIG',
        message: 'The `pool` was created by another copy of this package',
        hint: 'Create it with the AgentPool class of the copy that the provider comes from.',
      });
    }
    this.#pool ??= new AgentPool(given);
    return this.#pool;
  }

  /** Disposes of the own pool. A given pool belongs to the caller and stays open. */
  async dispose(): Promise<void> {
    await this.#pool?.dispose();
    this.#pool = undefined;
  }
}
