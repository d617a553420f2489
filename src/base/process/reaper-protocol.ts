/** Message to the reaper: one JSON line. The reaper removes folders after all processes have ended. */
export type ReaperMessage = WatchProcesses | WatchFolder | ForgetProcesses | ForgetFolder | Ping;

export interface WatchProcesses {
  readonly type: 'watch-processes';
  readonly tag: string;
  readonly pid?: number | undefined;
  /** Start time of the process with this pid, which tells it from a later one. */
  readonly startTime?: number | undefined;
  readonly cgroup?: string | undefined;
  readonly launcherPid?: number | undefined;
}

/** Question whether the reaper is at work. Its answer is a line on stdout. */
interface Ping {
  readonly type: 'ping';
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
