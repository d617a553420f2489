import { describe, expect, it } from 'vitest';
import {
  type EventBatch,
  packEvents,
  unpackEvents,
} from '../../../src/queue/protocol/event-batch.js';
import { sign } from '../../../src/queue/protocol/signature.js';
import { CLOSED, OPEN, OTHER_SECRET, SIGNED } from './support.js';

const BATCH: EventBatch = {
  attempt: 2,
  seq: 7,
  events: [
    { type: 'text-delta', text: 'ä\u2028"', textKind: 'text' },
    { type: 'session-status', status: 'warning', message: 'm' },
  ],
};

describe('packEvents', () => {
  it('writes fields of text alone, as the stream of a store needs', () => {
    const fields = packEvents('j1', BATCH, SIGNED);
    expect(Object.keys(fields)).toEqual(['id', 'text', 'signature']);
    expect(Object.values(fields).every((it) => typeof it === 'string')).toBe(true);
    expect(Object.keys(packEvents('j1', BATCH, OPEN))).toEqual(['id', 'text']);
  });
});

describe('unpackEvents', () => {
  it.each([SIGNED, OPEN])('gives back what was packed (%#)', (trust) => {
    expect(unpackEvents('j1', packEvents('j1', BATCH, trust), trust)).toEqual(BATCH);
  });

  it('gives nothing of what is not trusted', () => {
    const fields = packEvents('j1', BATCH, SIGNED);
    const changed = { ...fields, text: fields['text']?.replace('"seq":7', '"seq":0') };
    expect(changed.text).not.toBe(fields['text']);
    expect(unpackEvents('j1', changed, SIGNED)).toBe(undefined);
    expect(unpackEvents('j2', fields, SIGNED)).toBe(undefined);
    expect(unpackEvents('j1', fields, OTHER_SECRET)).toBe(undefined);
    expect(unpackEvents('j1', packEvents('j1', BATCH, OPEN), SIGNED)).toBe(undefined);
    expect(unpackEvents('j1', packEvents('j1', BATCH, OPEN), CLOSED)).toBe(undefined);
    const asResult = sign('result', 'j1', JSON.stringify(BATCH), SIGNED);
    expect(unpackEvents('j1', asResult, SIGNED)).toBe(undefined);
  });

  it.each([undefined, null, 'text', {}, { text: 1 }])('gives nothing for %j', (fields) => {
    expect(unpackEvents('j1', fields, OPEN)).toBe(undefined);
  });

  it.each([
    '{',
    'null',
    '[]',
    '{"attempt":1,"seq":0}',
    '{"attempt":1,"seq":0,"events":{}}',
    '{"attempt":1,"seq":0.5,"events":[]}',
    '{"attempt":"1","seq":0,"events":[]}',
    '{"attempt":1,"seq":0,"events":[null]}',
    '{"attempt":1,"seq":0,"events":[{"type":1}]}',
  ])('gives nothing for the broken batch %s', (text) => {
    expect(unpackEvents('j1', { text }, OPEN)).toBe(undefined);
  });
});
