import { isAbsolute } from 'node:path';
import { z } from 'zod';

/** Name of an object in a git repository: SHA-1 or SHA-256. */
const objectName = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
const sha256Name = z.string().regex(/^[0-9a-f]{64}$/);
const absolutePath = z.string().max(8192).refine(isAbsolute);
/** Relative path without `.` and `..`, or an empty text. */
const innerPath = z
  .string()
  .max(8192)
  .refine(
    (path) => path === '' || path.split('/').every((name) => !/^(?:\.{0,2}|\.git)$/i.test(name)),
  );
const notes = z.array(z.string().max(4096)).max(200);

/** Where the bytes of a pack are: in the text itself, or in blobs, whose names are listed in one more blob. */
const pack = z.object({
  bytes: z.number().int().nonnegative(),
  inline: z.string().optional(),
  list: sha256Name.optional(),
});

const remote = z.string().max(4096);

const shippedWorkspace = z.object({
  format: z.enum(['sha1', 'sha256']),
  /** Working directory of the caller, as the caller names it, and the top of the tree that contains it. */
  dir: absolutePath,
  root: absolutePath,
  /** Working directory, relative to the top of the tree. */
  prefix: innerPath,
  /** Commit without a parent, whose objects a worker keeps. */
  base: z.object({ commit: objectName, pack: pack.optional() }),
  /** State of the folder. Its pack has the objects that the base lacks; absent if there are none. */
  snapshot: z.object({ commit: objectName, pack: pack.optional() }),
  /** False if execute bits mean nothing on the caller's disk. */
  trustModes: z.boolean(),
  /** URL of the git remote that carries the objects instead of packs. */
  remote: remote.optional(),
  notes,
});

const shippedChanges = z.object({
  /** Tree and working directory of the worker, which the paths of the manifest name. */
  tree: absolutePath,
  dir: absolutePath,
  /** Commit with the changes; absent if the step has changed nothing. */
  commit: objectName.optional(),
  pack: pack.optional(),
  /** Files of the manifest, as the step has left them. */
  reported: z
    .array(
      z.object({
        absolutePath: z.string().max(8192),
        /** Path in the tree, one character per byte. */
        path: innerPath.optional(),
        sha256: sha256Name.optional(),
      }),
    )
    .max(1_000_000),
  notes,
});

/** Bytes of a pack: in the text itself, or the name of a blob that lists their chunks. */
export type PackReference = Readonly<z.infer<typeof pack>>;

/** State of a folder that travels to a worker. Plain JSON; the signature of the job covers it. */
export type ShippedWorkspace = Readonly<z.infer<typeof shippedWorkspace>>;

/** Changes of a step that travel back to the caller. Plain JSON; the signature of the result covers it. */
export type ShippedChanges = Readonly<z.infer<typeof shippedChanges>>;

/** Parses a workspace from a job. Returns undefined if it is not one. */
export function parseShippedWorkspace(value: unknown): ShippedWorkspace | undefined {
  return shippedWorkspace.safeParse(value).data;
}

/** Parses changes from a result. Returns undefined if they are none. */
export function parseShippedChanges(value: unknown): ShippedChanges | undefined {
  return shippedChanges.safeParse(value).data;
}
