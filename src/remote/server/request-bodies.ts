import { z } from 'zod';

const id = z
  .string()
  .min(8)
  .max(100)
  .regex(/^[\w-]+$/);
const mode = z.enum(['default', 'auto_edit', 'plan', 'yolo']);
const text = z.string().min(1).max(1_000_000);

/** Bodies of the requests that devices send. Unknown fields are refused. */
export const pairBody = z.strictObject({
  code: z.string().min(16).max(100),
  name: z.string().trim().min(1).max(60),
});
export const promptBody = z.strictObject({ promptId: id, text });
export const withdrawBody = z.strictObject({ promptId: id });
export const modeBody = z.strictObject({ mode });
export const modelBody = z.strictObject({ model: z.string().min(1).max(200) });
export const emptyBody = z.strictObject({});
export const startBody = z.strictObject({
  startId: id,
  folder: z.string().min(1).max(4_096),
  prompt: text.optional(),
  model: z.string().min(1).max(200).optional(),
  mode: mode.optional(),
  resume: id.optional(),
});
export const lookingBody = z.strictObject({ streamId: z.uuid(), isLooking: z.boolean() });
export const presenceBody = z.strictObject({ isAway: z.boolean() });
export const decisionBody = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('allow'), inputHash: z.string().max(100) }),
  z.strictObject({ type: z.literal('allow-for-session'), inputHash: z.string().max(100) }),
  z.strictObject({ type: z.literal('deny'), reason: z.string().max(4_000).optional() }),
  z.strictObject({
    type: z.literal('answer'),
    answers: z.record(
      z.string().max(100),
      z.union([z.string().max(10_000), z.array(z.string().max(1_000)).max(50)]),
    ),
  }),
  z.strictObject({ type: z.literal('choose'), option: z.string().max(100) }),
]);
export const subscriptionBody = z.strictObject({
  endpoint: z.url({ protocol: /^https$/ }).max(2_000),
  expirationTime: z.number().nullish(),
  keys: z.strictObject({ p256dh: z.string().max(200), auth: z.string().max(100) }),
});
export const unsubscribeBody = z.strictObject({ endpoint: z.null() });
/** Key with which a device may repeat a request. */
export const requestKey = id.optional();
export const idParameter = z.object({ id: z.string().max(100) });
export const eventsQuery = z.object({
  session: z.string().max(100).optional(),
  after: z.coerce.number().int().min(0).optional(),
  run: z.string().max(100).optional(),
  looking: z.enum(['0', '1']).optional(),
});
export const entriesQuery = z.object({
  after: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(2_000).optional(),
});
