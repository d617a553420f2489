/** One JSON line to the reaper. */
export type ReaperMessage =
  | {
      readonly type: 'watch';
      readonly runId: string;
      readonly pid?: number | undefined;
      /** The run's private folder, to be removed with it. */
      readonly directory: string;
    }
  | { readonly type: 'forget'; readonly runId: string };
