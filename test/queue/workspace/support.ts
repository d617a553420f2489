import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ManifestFile } from '../../../src/api/manifest.js';
import { readFileState } from '../../../src/base/fs/fingerprint.js';
import type { AttemptResult } from '../../../src/batch/ledger/ledger-entry.js';
import type { BlobStore } from '../../../src/queue/store/blob-store.js';
import {
  type AppliedChanges,
  type ApplyShippedOptions,
  applyShipped,
} from '../../../src/queue/workspace/apply-shipped.js';
import {
  type OpenedWorkspace,
  type OpenShippedOptions,
  openShipped,
} from '../../../src/queue/workspace/open-shipped.js';
import { type ShipOptions, shipWorkspace } from '../../../src/queue/workspace/ship-workspace.js';
import type {
  ShippedChanges,
  ShippedWorkspace,
} from '../../../src/queue/workspace/shipped-workspace.js';
import { makeTree } from '../../base/fs/make-tree.js';

/** Store of blobs in memory, which counts the bytes that were written to it. */
export interface MemoryBlobs extends BlobStore {
  readonly blobs: Map<string, Buffer>;
  written: number;
}

export function createMemoryBlobs(): MemoryBlobs {
  const blobs = new Map<string, Buffer>();
  return {
    blobs,
    written: 0,
    async put(key, bytes) {
      this.written += bytes.length;
      blobs.set(key, Buffer.from(bytes));
    },
    get: async (key) => blobs.get(key),
    has: async (key) => blobs.has(key),
    touch: async () => {},
    delete: async (key) => {
      blobs.delete(key);
    },
    list: async (prefix) => [...blobs.keys()].filter((key) => key.startsWith(prefix)).sort(),
  };
}

/** A caller and a worker that share nothing but a store. */
export interface ShipLab {
  readonly blobs: MemoryBlobs;
  readonly stateDir: string;
  readonly cacheDir: string;
  readonly patchFile: string;
  ship(dir: string, options?: Partial<ShipOptions>): Promise<ShippedWorkspace>;
  open(shipped: ShippedWorkspace, options?: Partial<OpenShippedOptions>): Promise<OpenedWorkspace>;
  apply(
    dir: string,
    shipped: ShippedWorkspace,
    changes: ShippedChanges,
    options?: Partial<ApplyShippedOptions>,
  ): Promise<AppliedChanges>;
  /** Ships a folder, runs the step in the worker's tree, and applies the changes. */
  step(dir: string, work: (dir: string) => void, request?: StepRequest): Promise<AppliedChanges>;
}

export interface StepRequest {
  readonly ship?: Partial<ShipOptions>;
  readonly open?: Partial<OpenShippedOptions>;
  /** Paths of the manifest, relative to the working directory. */
  readonly files?: readonly string[];
  /** Changes the caller's folder while the step runs elsewhere. */
  readonly meanwhile?: () => void;
}

export function createShipLab(scratch = makeTree()): ShipLab {
  const blobs = createMemoryBlobs();
  const [stateDir, cacheDir, patchFile] = ['state', 'cache', 'kept.patch'].map((name) =>
    join(scratch, name),
  ) as [string, string, string];
  const lab: ShipLab = {
    blobs,
    stateDir,
    cacheDir,
    patchFile,
    ship: (dir, options) => shipWorkspace({ dir, blobs, stateDir, ...options }),
    open: (shipped, options) => openShipped(travel(shipped), { cacheDir, blobs, ...options }),
    apply: (dir, shipped, changes, options) =>
      applyShipped(travel(shipped), travel(changes), {
        dir,
        blobs,
        stateDir,
        keptPatch: patchFile,
        result: makeResult([]),
        ...options,
      }),
    step: async (dir, work, { ship, open, files = [], meanwhile } = {}) => {
      const shipped = await lab.ship(dir, ship);
      const opened = await lab.open(shipped, open);
      try {
        work(opened.dir);
        const manifest = await Promise.all(files.map((path) => makeFile(opened.dir, path)));
        const paths = manifest.map(({ absolutePath }) => absolutePath);
        const changes = await opened.collect({ extraPaths: paths, files: paths });
        meanwhile?.();
        return await lab.apply(dir, shipped, changes, { result: makeResult(manifest) });
      } finally {
        await opened.dispose();
      }
    },
  };
  return lab;
}

/** Opens a workspace that is removed at the end of the test. */
export async function openUntilEnd(
  lab: ShipLab,
  shipped: ShippedWorkspace,
  options?: Partial<OpenShippedOptions>,
): Promise<OpenedWorkspace> {
  const opened = await lab.open(shipped, options);
  onTestFinished(() => opened.dispose());
  return opened;
}

function travel<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

export function makeResult(files: readonly ManifestFile[]): AttemptResult {
  return {
    text: 'Done.',
    files,
    generationId: 'g',
    warnings: [],
    deniedTools: [],
    repairs: 0,
  } as unknown as AttemptResult;
}

async function makeFile(dir: string, path: string): Promise<ManifestFile> {
  const absolutePath = join(dir, path);
  const state = await readFileState(absolutePath);
  return {
    path,
    absolutePath,
    kind: existsSync(absolutePath) ? 'created' : 'deleted',
    tools: ['write_file'],
    toolIds: ['1'],
    bytes: state?.bytes ?? 0,
    ...(state === undefined ? {} : { sha256After: state.sha256 }),
    confirmed: true,
    outsideWorkspace: false,
  };
}
