import type {
  RemoteDecisionEntry,
  RemoteEntry,
  RemoteMessageEntry,
  RemotePromptEntry,
  RemoteToolEntry,
} from '../../../api/remote-entry.js';
import type { RemoteRequest } from '../../../api/remote-request.js';

/** A row of the conversation. Its key stays the same when a later entry changes the row. */
export type ConversationItem = { readonly key: string; readonly at: string } & (
  | { readonly type: 'message'; readonly message: RemoteMessageEntry }
  | { readonly type: 'tool'; readonly tool: RemoteToolEntry }
  | { readonly type: 'prompt'; readonly prompt: RemotePromptEntry }
  | {
      readonly type: 'request';
      readonly request: RemoteRequest;
      readonly decision: RemoteDecisionEntry | undefined;
    }
  | {
      readonly type: 'notice';
      readonly level: 'info' | 'warning' | 'error';
      readonly message: string;
    }
);

/** The conversation of a session: rows in the order of their first entry. */
export class Conversation {
  readonly items: ConversationItem[] = [];
  readonly #indexes = new Map<string, number>();
  /** Keys of the prompts that are shown. Most become messages, so there are few. */
  readonly #prompts = new Set<string>();
  lastSeq = 0;
  /** Run of the server that has sent the entries. */
  run: string | undefined;

  /** Begins again if another run of the server sends the entries: their numbers may stand for other entries. */
  begin(run: string): void {
    if (this.run !== undefined && this.run !== run) {
      this.items.length = 0;
      this.#indexes.clear();
      this.#prompts.clear();
      this.lastSeq = 0;
    }
    this.run = run;
  }

  /** Takes entries in order. Entries that are known already change nothing. */
  accept(entries: readonly RemoteEntry[]): void {
    for (const entry of entries) {
      if (entry.seq <= this.lastSeq) continue;
      this.lastSeq = entry.seq;
      this.#take(entry);
    }
  }

  #take({ seq, at, content }: RemoteEntry): void {
    switch (content.type) {
      case 'message':
        if (content.blocks.length === 0) {
          this.#drop(this.#indexes.get(`message ${content.messageId}`) ?? -1);
          return;
        }
        this.#put({ key: `message ${content.messageId}`, at, type: 'message', message: content });
        // A message that the agent has forgotten is told again: a later prompt with the same words is another one.
        if (content.role === 'user' && content.isForgotten !== true)
          this.#hideAnsweredPrompt(content);
        return;
      case 'tool':
        this.#put({ key: `tool ${content.callId}`, at, type: 'tool', tool: content });
        return;
      case 'prompt':
        this.#put({ key: `prompt ${content.promptId}`, at, type: 'prompt', prompt: content });
        return;
      case 'request': {
        const key = `request ${content.request.id}`;
        this.#put({ key, at, type: 'request', request: content.request, decision: undefined });
        return;
      }
      case 'decision': {
        const known = this.#find(`request ${content.requestId}`);
        if (known?.type === 'request') this.#put({ ...known, decision: content });
        return;
      }
      case 'notice':
        this.#put({
          key: `notice ${seq}`,
          at,
          type: 'notice',
          level: content.level,
          message: content.message,
        });
        return;
      case 'state':
        if (content.reason !== undefined)
          this.#put({
            key: `notice ${seq}`,
            at,
            type: 'notice',
            level: 'info',
            message: content.reason,
          });
        return;
      default:
        return;
    }
  }

  /** A prompt from a device is shown as the message that it has become. */
  #hideAnsweredPrompt({ blocks }: RemoteMessageEntry): void {
    const text = blocks.map((block) => block.text.trim()).join('\n');
    const found = [...this.#prompts].findLast((key) => {
      const item = this.#find(key);
      if (item?.type !== 'prompt' || item.prompt.text.trim() !== text) return false;
      return item.prompt.status !== 'queued' && item.prompt.status !== 'withdrawn';
    });
    if (found !== undefined) this.#drop(this.#indexes.get(found) ?? -1);
  }

  #drop(index: number): void {
    if (index < 0) return;
    const [item] = this.items.splice(index, 1);
    if (item === undefined) return;
    this.#prompts.delete(item.key);
    for (let at = index; at < this.items.length; at++)
      this.#indexes.set(this.items[at]?.key ?? '', at);
    // Later entries of this prompt would bring it back.
    this.#indexes.set(item.key, -1);
  }

  #find(key: string): ConversationItem | undefined {
    const index = this.#indexes.get(key);
    return index === undefined || index < 0 ? undefined : this.items[index];
  }

  #put(item: ConversationItem): void {
    const index = this.#indexes.get(item.key);
    if (index === -1) return;
    if (index === undefined) {
      this.#indexes.set(item.key, this.items.length);
      this.items.push(item);
      if (item.type === 'prompt') this.#prompts.add(item.key);
    } else this.items[index] = { ...item, at: this.items[index]?.at ?? item.at };
  }
}
