import { resolve } from 'node:path';
import type { AgentEvent, PermissionDecision } from '../../api/agent-event.js';
import type { ToolContent } from '../../api/tool-event.js';
import { realpathOf } from '../../base/fs/paths.js';
import { isEditingKind } from '../events/match-tool-rule.js';
import type { MappedRequest } from './map-update.js';
import type { CallDescription } from './tool-call-state.js';

interface OpenCall {
  readonly call: CallDescription;
  readonly paths: readonly string[];
  readonly isGranted: boolean;
}

/**
 * Remembers the running tool calls of a turn, so that a write through the client is judged by the call that it belongs
 * to. A write without such a call is judged as a call of its own: the agent did not ask for a permission.
 */
export class GrantedWrites {
  readonly #workingDir: string;
  readonly #calls = new Map<string, OpenCall>();
  #isAlwaysGranted = false;

  constructor(workingDir: string) {
    this.#workingDir = workingDir;
  }

  /** Notes the begin and the end of tool calls. */
  observe(event: AgentEvent): void {
    if (event.type === 'tool-completion') this.#calls.delete(event.callId);
    if (event.type !== 'tool-invocation' && event.type !== 'tool-update') return;
    // A permission holds for the files that the agent had named when it asked, not for those that it names later.
    if (!isEditingKind(event.kind) || this.#calls.get(event.callId)?.isGranted) return;
    const call = { ...event, title: event.title, locations: event.locations ?? [] };
    this.#calls.set(event.callId, { call, paths: this.#pathsOf(call, []), isGranted: false });
  }

  /** Notes a permission that the agent has asked for and got. */
  grant({ call, content }: MappedRequest, decision: PermissionDecision): void {
    this.#calls.set(call.callId, { call, paths: this.#pathsOf(call, content), isGranted: true });
    if (decision === 'allow_always' && isEditingKind(call.kind)) this.#isAlwaysGranted = true;
  }

  /** True if the agent has asked for the permission of this write, and got it. */
  isGranted(path: string): boolean {
    if (this.#isAlwaysGranted) return true;
    return this.#find(path).some(({ isGranted }) => isGranted);
  }

  /** Returns the running call that edits the file, if the agent has reported one. */
  findCall(path: string): CallDescription | undefined {
    return this.#find(path)[0]?.call;
  }

  #find(path: string): OpenCall[] {
    const wanted = this.#locate(path);
    return [...this.#calls.values()].filter(({ call, paths }) => {
      return paths.includes(wanted) || (paths.length === 0 && isEditingKind(call.kind));
    });
  }

  /** Returns the paths that a call names: in its locations, its diffs and its arguments. */
  #pathsOf({ locations, input }: CallDescription, content: readonly ToolContent[]): string[] {
    const diffs = content.flatMap((block) => (block.type === 'diff' ? block.path : []));
    const named = ['path', 'file_path', 'filePath', 'absolute_path'].map((key) => input[key]);
    const texts = [...locations, ...diffs, ...named].filter((path) => typeof path === 'string');
    return texts.map((path) => this.#locate(path));
  }

  #locate(path: string): string {
    return realpathOf(resolve(this.#workingDir, path));
  }
}
