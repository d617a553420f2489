import type { SessionMessage } from '../../api/session.js';
import { estimateCost } from '../../base/usage/estimate-cost.js';
import { sumTokenCounts } from '../../base/usage/token-counts.js';
import { knownUsd } from './known-usd.js';

/** Tokens of all answers, and their cost if all prices are known. */
export interface SessionUsage {
  readonly tokens: number;
  readonly costUsd: number | undefined;
}

const NOTHING: SessionUsage = { tokens: 0, costUsd: 0 };

/**
 * Tokens and cost of a session, from its file. After a refused turn the CLI writes all earlier messages again without their token
 * counts, so each answer counts once it was seen, whatever the file says later.
 */
export class FileUsage {
  readonly #answers = new Map<string, SessionMessage>();
  /** Usage that the log of an earlier run of the server tells. */
  #logged: SessionUsage | undefined;
  /** Part of the logged usage that the file no longer explains. */
  #earlier = NOTHING;

  /** Takes over the usage that the log tells. */
  restore(usage: SessionUsage): void {
    this.#logged = usage;
  }

  accept(message: SessionMessage): void {
    if (message.tokens !== undefined && message.tokens !== null)
      this.#answers.set(message.id, message);
  }

  /** Returns the usage so far. Called when the present content of the file was accepted. */
  sum(): SessionUsage {
    const answers = [...this.#answers.values()];
    const { total: tokens } = sumTokenCounts(answers.map(({ tokens: counts }) => counts));
    const inFile = { tokens, costUsd: knownUsd(estimateCost(answers)) };
    if (this.#logged !== undefined) this.#earlier = subtract(this.#logged, inFile);
    this.#logged = undefined;
    return addSessionUsage(this.#earlier, inFile);
  }
}

export function addSessionUsage(a: SessionUsage, b: SessionUsage): SessionUsage {
  const isKnown = a.costUsd !== undefined && b.costUsd !== undefined;
  return {
    tokens: a.tokens + b.tokens,
    costUsd: isKnown ? (a.costUsd ?? 0) + (b.costUsd ?? 0) : undefined,
  };
}

function subtract(from: SessionUsage, part: SessionUsage): SessionUsage {
  if (from.tokens <= part.tokens) return NOTHING;
  const isKnown = from.costUsd !== undefined && part.costUsd !== undefined;
  return {
    tokens: from.tokens - part.tokens,
    costUsd: isKnown ? Math.max(0, (from.costUsd ?? 0) - (part.costUsd ?? 0)) : undefined,
  };
}
