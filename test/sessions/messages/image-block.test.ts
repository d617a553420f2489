import { describe, expect, it } from 'vitest';
import { toImage } from '../../../src/sessions/messages/image-block.js';

describe('a part of a message', () => {
  it('may be an image', () => {
    expect(toImage({ inlineData: { mimeType: 'image/png', data: 'AAAA' } })).toEqual({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
    });
  });

  it.each([
    [{ inlineData: { mimeType: 'application/pdf', data: 'AAAA' } }],
    [{ inlineData: { mimeType: 'image/png' } }],
    [{ inlineData: { data: 'AAAA' } }],
    [{ inlineData: null }],
    [{ text: 'image/png' }],
    ['image/png'],
    [null],
    [undefined],
  ])('is no image: %j', (part) => {
    expect(toImage(part)).toBeUndefined();
  });
});
