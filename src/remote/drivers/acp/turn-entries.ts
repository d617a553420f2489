import type { AgentEvent } from '../../../api/agent-event.js';
import type { RemoteToolEntry } from '../../../api/remote-entry.js';
import type { ToolContent } from '../../../api/tool-event.js';
import { createDiff } from '../../../base/fs/diff.js';
import { cutInput } from '../../session/cut-input.js';
import { cutText } from '../../session/cut-text.js';
import type { SessionSink } from '../session-driver.js';

const MOST_DIFF_CHARACTERS = 256_000;
const MOST_OUTPUT_CHARACTERS = 64_000;

/**
 * Turns the events of a live agent into entries of a session's log. Text is shown as a preview while it comes, and becomes
 * one entry when the block is over, so that the log holds each text once.
 */
export class TurnEntries {
  readonly #sink: SessionSink;
  readonly #tools = new Map<string, RemoteToolEntry>();
  #text = '';
  #thoughts: string[] = [];
  #messages = 0;
  readonly #prefix: string;

  /** @param prefix makes the ids of messages unique among all turns of the session */
  constructor(sink: SessionSink, prefix: string) {
    this.#sink = sink;
    this.#prefix = prefix;
  }

  accept(event: AgentEvent): void {
    switch (event.type) {
      case 'text-delta':
      case 'text':
        this.#takeText(event);
        return;
      case 'tool-invocation':
      case 'tool-update': {
        this.endBlock();
        const { callId, toolName, title, input } = event;
        const content = event.type === 'tool-update' ? event.content : undefined;
        const status = this.#tools.get(callId)?.status ?? 'running';
        this.#addTool({ callId, name: toolName, title: title ?? toolName, status, input }, content);
        return;
      }
      case 'tool-completion':
        this.#complete(event);
        return;
      case 'session-status':
        if (event.status === 'warning' || event.status === 'retrying')
          this.#sink.add(
            { type: 'notice', level: 'warning', message: event.message ?? event.status },
            'agent',
          );
        return;
      default:
        return;
    }
  }

  /** Writes the text so far as an entry, and ends the preview. */
  endBlock(): void {
    const text = this.#text;
    const thoughts = this.#thoughts;
    this.#text = '';
    this.#thoughts = [];
    if (text === '' && thoughts.length === 0) return;
    this.#messages++;
    this.#sink.add(
      {
        type: 'message',
        messageId: `${this.#prefix}-${this.#messages}`,
        role: 'assistant',
        blocks: [
          ...thoughts.map((thought) => ({ type: 'thought' as const, text: thought })),
          ...(text === '' ? [] : [{ type: 'text' as const, text }]),
        ],
      },
      'agent',
    );
    this.#sink.preview('text', '');
    this.#sink.preview('thought', '');
  }

  /** Ends all calls that are still open, because the turn is over. */
  end(status: 'cancelled' | 'failed'): void {
    this.endBlock();
    for (const tool of this.#tools.values()) {
      if (tool.status === 'running' || tool.status === 'waiting')
        this.#sink.add({ ...tool, status }, 'agent');
    }
    this.#tools.clear();
  }

  #takeText({ type, text, textKind }: AgentEvent & { type: 'text' | 'text-delta' }): void {
    if (textKind === 'text') {
      this.#text += text;
      this.#sink.preview('text', this.#text);
      return;
    }
    const last = this.#thoughts.at(-1);
    if (type === 'text' || last === undefined) this.#thoughts.push(text);
    else this.#thoughts[this.#thoughts.length - 1] = last + text;
    this.#sink.preview('thought', this.#thoughts.at(-1) ?? '');
  }

  #complete(event: AgentEvent & { type: 'tool-completion' }): void {
    this.endBlock();
    const known = this.#tools.get(event.callId);
    const { callId, toolName, error, output } = event;
    const isRefused = error?.type === 'permission_rejected';
    const status = error === undefined ? 'succeeded' : isRefused ? 'refused' : 'failed';
    const shown = error === undefined ? output : error.message;
    this.#addTool(
      {
        ...(known ?? { callId, name: toolName ?? '', title: toolName ?? '', input: {} }),
        status,
        output: cutText(shown, MOST_OUTPUT_CHARACTERS),
      },
      event.content,
      event.derived?.diff,
    );
  }

  #addTool(
    tool: RemoteToolEntry | Omit<RemoteToolEntry, 'type'>,
    content?: readonly ToolContent[],
    diff?: string,
  ): void {
    const found = diff ?? diffOf(content) ?? tool.diff ?? this.#tools.get(tool.callId)?.diff;
    const entry: RemoteToolEntry = {
      ...tool,
      type: 'tool',
      input: cutInput(tool.input),
      diff: cutText(found, MOST_DIFF_CHARACTERS),
    };
    this.#tools.set(entry.callId, entry);
    this.#sink.add(entry, 'agent');
  }
}

/** Returns the change of a file in the content of a tool call as a diff. */
export function diffOf(content: readonly ToolContent[] | undefined): string | undefined {
  const diffs = (content ?? []).flatMap((block) => {
    if (block.type !== 'diff') return [];
    return createDiff(block.path, block.oldText, block.newText) ?? [];
  });
  return diffs.length === 0 ? undefined : diffs.join('\n');
}
