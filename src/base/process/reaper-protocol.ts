/** One JSON line to the reaper. Folders are removed once all processes have gone. */
export type ReaperMessage = WatchProcesses | WatchFolder | ForgetRun | ForgetFolder;

export interface WatchProcesses {
  readonly type: 'watch-run';
  readonly tag: string;
  readonly pid?: number | undefined;
}

export interface WatchFolder {
  readonly type: 'watch-folder';
  readonly path: string;
}

interface ForgetRun {
  readonly type: 'forget-run';
  readonly tag: string;
}

interface ForgetFolder {
  readonly type: 'forget-folder';
  readonly path: string;
}
