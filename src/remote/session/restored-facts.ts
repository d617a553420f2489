import { z } from 'zod';
import type { RemoteEntry, RemoteEntryContent, RemotePromptEntry } from '../../api/remote-entry.js';
import type { RemoteRule } from '../../api/remote-request.js';

const MODES = ['default', 'auto_edit', 'plan', 'yolo'] as const;

/** Facts about a session that its log tells. */
export const sessionFactsSchema = z.object({
  cliSessionId: z.string().optional(),
  title: z.string().optional(),
  model: z.string().optional(),
  mode: z.enum(MODES).optional(),
  tokens: z.number().optional(),
  costUsd: z.number().optional(),
  updatedAt: z.string().optional(),
  /** Ids of the latest prompts: one that a device repeats is not sent again. */
  promptIds: z.array(z.string()).readonly().optional(),
});

export type RestoredFacts = z.infer<typeof sessionFactsSchema>;

/** What an earlier run of the server has left undone in a session. */
export interface Unfinished {
  /** Requests without an answer. Their agent no longer waits. */
  readonly openRequests: readonly string[];
  /** Last entries of all prompts. */
  readonly prompts: readonly RemotePromptEntry[];
  /** Rules that were not revoked. */
  readonly rules: readonly RemoteRule[];
}

/** Reads the log of an earlier run of the server, entry by entry, and keeps what the next run needs. */
export class LogFold implements Unfinished {
  #facts: RestoredFacts = {};
  readonly #openRequests = new Set<string>();
  readonly #prompts = new Map<string, RemotePromptEntry>();
  readonly #rules = new Map<string, RemoteRule>();

  get facts(): RestoredFacts {
    return this.#facts;
  }

  get openRequests(): readonly string[] {
    return [...this.#openRequests];
  }

  get prompts(): readonly RemotePromptEntry[] {
    return [...this.#prompts.values()];
  }

  get rules(): readonly RemoteRule[] {
    return [...this.#rules.values()];
  }

  accept({ at, content }: RemoteEntry): void {
    this.#facts = { ...this.#facts, updatedAt: at };
    switch (content.type) {
      case 'usage':
        this.#facts = { ...this.#facts, tokens: content.tokens, costUsd: content.costUsd };
        return;
      case 'driver':
        if (content.cliSessionId !== undefined)
          this.#facts = { ...this.#facts, cliSessionId: content.cliSessionId };
        return;
      case 'model':
        this.#facts = { ...this.#facts, model: content.model };
        return;
      case 'mode':
        this.#facts = { ...this.#facts, mode: content.mode };
        return;
      case 'message':
        this.#facts = { ...this.#facts, title: this.#facts.title ?? titleOf(content) };
        return;
      case 'request':
        this.#openRequests.add(content.request.id);
        return;
      case 'decision':
        this.#openRequests.delete(content.requestId);
        return;
      case 'prompt':
        this.#prompts.set(content.promptId, content);
        return;
      case 'rule':
        if (content.isRevoked) this.#rules.delete(content.rule.id);
        else this.#rules.set(content.rule.id, content.rule);
        return;
      default:
        return;
    }
  }
}

const MOST_TITLE_CHARACTERS = 200;

/** Returns the title that an entry gives to its session: the first prompt on one line. Undefined if it gives none. */
export function titleOf(content: RemoteEntryContent): string | undefined {
  if (content.type !== 'message' || content.role !== 'user') return undefined;
  const text = content.blocks.find(({ type }) => type === 'text')?.text.trim();
  if (text === undefined || text === '') return undefined;
  return text.replace(/\s+/g, ' ').slice(0, MOST_TITLE_CHARACTERS);
}
