import type { EventBase, TextKind } from './event-base.js';
import type { ToolContent } from './tool-event.js';

/** The answer of the model contains something that is no text: an image, audio, a resource or a link to one. ACP only. */
export interface ContentEvent extends EventBase {
  readonly type: 'content';
  /** The image, audio or resource. */
  readonly content: Extract<ToolContent, { readonly type: 'image' | 'audio' | 'resource' }>;
  /** Kind of the text that the content is part of. */
  readonly textKind: TextKind;
  /** Id of the tool call that runs the sub-agent whose content it is. */
  readonly parentCallId?: string | undefined;
}
