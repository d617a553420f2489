import type { UnifiedImage } from '../../api/unified-message.js';
import { fieldOf } from '../files/message-text.js';

/** Converts a part of a message to an image block. Undefined if the part is no image. */
export function toImage(part: unknown): UnifiedImage | undefined {
  const inline = fieldOf(part, 'inlineData');
  const [type, data] = [fieldOf(inline, 'mimeType'), fieldOf(inline, 'data')];
  if (typeof type !== 'string' || !type.startsWith('image/') || typeof data !== 'string') {
    return undefined;
  }
  return { type: 'image', source: { type: 'base64', media_type: type, data } };
}
