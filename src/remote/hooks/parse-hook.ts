import { z } from 'zod';
import type { HookPayload } from '../../api/hook-payload.js';

const base = {
  session_id: z.string().min(1).max(200),
  transcript_path: z.string().optional(),
  cwd: z.string(),
  timestamp: z.string().optional(),
};
const input = z.record(z.string(), z.unknown());
const text = z.string().optional();

const payload = z.discriminatedUnion('hook_event_name', [
  z.object({ ...base, hook_event_name: z.literal('SessionStart'), source: text }),
  z.object({ ...base, hook_event_name: z.literal('SessionEnd'), reason: text }),
  z.object({ ...base, hook_event_name: z.literal('BeforeAgent'), prompt: z.string() }),
  z.object({
    ...base,
    hook_event_name: z.literal('AfterAgent'),
    prompt: text,
    prompt_response: text,
  }),
  z.object({
    ...base,
    hook_event_name: z.literal('BeforeTool'),
    tool_name: z.string(),
    tool_input: input,
  }),
  z.object({
    ...base,
    hook_event_name: z.literal('AfterTool'),
    tool_name: z.string(),
    tool_input: input,
  }),
  z.object({
    ...base,
    hook_event_name: z.literal('Notification'),
    notification_type: z.string(),
    details: input.optional(),
  }),
]);

/** Reads the payload of a hook. Returns undefined for events and forms that this version does not know. */
export function parseHook(value: unknown): HookPayload | undefined {
  return payload.safeParse(value).data;
}
