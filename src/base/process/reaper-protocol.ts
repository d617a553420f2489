/** Message to the reaper: one JSON line. The reaper removes folders after all processes have ended. */
export type ReaperMessage = WatchProcesses | WatchFolder | ForgetProcesses | ForgetFolder;

export interface WatchProcesses {
  readonly type: 'watch-processes';
  readonly tag: string;
  readonly pid?: number | undefined;
}

export interface WatchFolder {
  readonly type: 'watch-folder';
  readonly path: string;
}

interface ForgetProcesses {
  readonly type: 'forget-processes';
  readonly tag: string;
}

interface ForgetFolder {
  readonly type: 'forget-folder';
  readonly path: string;
}
