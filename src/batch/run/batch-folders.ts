import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExpandedPlan } from '../../api/batch-plan.js';
import { removeMarker } from '../state/batch-marker.js';
import { OutputFolder, renameIfThere } from './output-folder.js';

/** Output folder of a batch, and the state folder that belongs to it. */
export class BatchFolders {
  readonly out: OutputFolder;
  /** Folder that no agent of the batch can reach: ledger, baseline, records of isolated workspaces, key. */
  readonly stateDir: string;

  constructor(out: string, stateDir: string) {
    this.out = new OutputFolder(out);
    this.stateDir = stateDir;
  }

  get ledgerFile(): string {
    return join(this.stateDir, 'ledger.jsonl');
  }

  get baselineFile(): string {
    return join(this.stateDir, 'files-before.json');
  }

  /**
   * Renames the ledger and the step folders of earlier runs and removes the baseline, for a start from the beginning. The
   * id of the old batch is removed first: a batch that is killed meanwhile starts from the beginning again.
   */
  async archive(): Promise<void> {
    await removeMarker(this.out.path);
    await this.archiveLedger();
    await this.out.archive();
  }

  /** Renames the ledger of earlier runs and removes the baseline. */
  async archiveLedger(): Promise<void> {
    const renamed = this.ledgerFile.replace(/\.jsonl$/, `-${Date.now()}.jsonl`);
    await renameIfThere(this.ledgerFile, renamed);
    await rm(this.baselineFile, { recursive: true, force: true });
  }
}

/** Returns the folders that agents of the plan may write to. */
export function agentFoldersOf({ steps }: Pick<ExpandedPlan, 'steps'>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { config } of steps) {
    folders.add(String(config['workingDir']));
    const more = config['includeDirectories'];
    if (Array.isArray(more)) for (const folder of more) folders.add(String(folder));
  }
  return folders;
}

/** Returns the working directories of the plan. */
export function workingDirsOf({ steps }: Pick<ExpandedPlan, 'steps'>): ReadonlySet<string> {
  return new Set(steps.map(({ config }) => String(config['workingDir'])));
}
