import { AgentPool } from '../agents/acp/agent-pool.js';
import type { PoolOptions, WarmPool } from '../api/warm-pool.js';
import { ProviderError } from '../base/errors/provider-error.js';

/** The pool of one provider: its own, made when it is first needed, or one that it was given. */
export class ProviderPool {
  #pool: AgentPool | undefined;

  choose(given: PoolOptions | WarmPool): AgentPool {
    if (given instanceof AgentPool) return given;
    if ('kind' in given) {
      throw new ProviderError({
        code: 'INVALID_CONFIG',
        message: 'The pool was made by another copy of this package',
        hint: 'Make it with the AgentPool of the same copy as the provider.',
      });
    }
    this.#pool ??= new AgentPool(given);
    return this.#pool;
  }

  /** A pool that was given is its owner's to end. */
  async dispose(): Promise<void> {
    await this.#pool?.dispose();
    this.#pool = undefined;
  }
}
