import { z } from 'zod';

/** The process that owns a lease or an isolated workspace, as `describeProcess` describes it. */
export const ownerSchema = z.object({
  id: z.string(),
  pid: z.number(),
  host: z.string(),
  startTime: z.number().optional(),
  boot: z.string().optional(),
  pidNamespace: z.string().optional(),
});
