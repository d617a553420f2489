import { describe, expect, it } from 'vitest';
import {
  decisionBody,
  emptyBody,
  entriesQuery,
  eventsQuery,
  lookingBody,
  modeBody,
  pairBody,
  promptBody,
  requestKey,
  startBody,
  subscriptionBody,
} from '../../../src/remote/server/request-bodies.js';

const id = 'a-request-id';
const keys = { p256dh: 'x', auth: 'y' };

describe('bodies of requests', () => {
  it.each([
    ['pairBody', pairBody, { code: 'x'.repeat(16), name: ' phone ' }],
    ['promptBody', promptBody, { promptId: id, text: 'x' }],
    ['startBody', startBody, { startId: id, folder: '/app', mode: 'plan', resume: id }],
    ['modeBody', modeBody, { mode: 'yolo' }],
    ['decisionBody', decisionBody, { type: 'deny' }],
    ['decisionBody', decisionBody, { type: 'answer', answers: { 0: 'a', 1: ['b', 'c'] } }],
    [
      'subscriptionBody',
      subscriptionBody,
      { endpoint: 'https://push.example/x', expirationTime: null, keys },
    ],
    ['eventsQuery', eventsQuery, { after: '12', looking: '1', other: 'x' }],
    ['entriesQuery', entriesQuery, {}],
    ['requestKey', requestKey, undefined],
  ] as const)('are accepted: %s', (_name, schema, body) => {
    expect(schema.safeParse(body).success).toBe(true);
  });

  it.each([
    ['pairBody', pairBody, { code: 'x'.repeat(16), name: '   ' }],
    ['promptBody', promptBody, { promptId: id, text: '' }],
    ['promptBody', promptBody, { promptId: 'short', text: 'x' }],
    ['promptBody', promptBody, { promptId: '../../etc/passwd', text: 'x' }],
    ['promptBody', promptBody, { promptId: id, text: 'x', by: 'desk' }],
    ['promptBody', promptBody, { promptId: id, text: 'x'.repeat(1_000_001) }],
    ['startBody', startBody, { startId: id, folder: '' }],
    ['startBody', startBody, { startId: id, folder: '/app', env: { A: 'b' } }],
    ['modeBody', modeBody, { mode: 'YOLO' }],
    ['emptyBody', emptyBody, { isDesk: true }],
    ['decisionBody', decisionBody, { type: 'allow' }],
    ['decisionBody', decisionBody, { type: 'allow-always', inputHash: 'x' }],
    ['decisionBody', decisionBody, { type: 'deny', reason: 'x'.repeat(4_001) }],
    ['decisionBody', decisionBody, { type: 'answer', answers: { 0: Array(51).fill('x') } }],
    ['subscriptionBody', subscriptionBody, { endpoint: 'http://push.example/x', keys }],
    ['subscriptionBody', subscriptionBody, { endpoint: 'file:///etc/passwd', keys }],
    ['subscriptionBody', subscriptionBody, { endpoint: 'https://push.example/x' }],
    ['lookingBody', lookingBody, { streamId: 'x', isLooking: true }],
    ['eventsQuery', eventsQuery, { after: '-1' }],
    ['entriesQuery', entriesQuery, { limit: '2001' }],
    ['requestKey', requestKey, 'x y z 1 2 3'],
  ] as const)('are refused: %s', (_name, schema, body) => {
    expect(schema.safeParse(body).success).toBe(false);
  });
});
