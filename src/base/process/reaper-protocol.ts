/** One JSON line to the reaper. Folders are removed once all processes have gone. */
export type ReaperMessage = WatchRun | WatchFolder | ForgetRun | ForgetFolder;

export interface WatchRun {
  readonly type: 'watch-run';
  readonly runId: string;
  readonly pid?: number | undefined;
}

export interface WatchFolder {
  readonly type: 'watch-folder';
  readonly path: string;
}

interface ForgetRun {
  readonly type: 'forget-run';
  readonly runId: string;
}

interface ForgetFolder {
  readonly type: 'forget-folder';
  readonly path: string;
}
