import { createTmux, type RunTmux } from '../tmux/run-tmux.js';
import { PANE_OPTION, TMUX_NAME } from '../tmux/start-cli.js';
import { TmuxPane } from '../tmux/tmux-pane.js';

/** A pane, and where it is. */
export interface PanePlace {
  readonly pane: TmuxPane;
  /** Socket of its tmux server. */
  readonly socket: string;
  /** Key under which hooks find the pane. */
  readonly key: string;
}

export function placeOf(run: RunTmux, socket: string, id: string, isOwn: boolean): PanePlace {
  return { pane: new TmuxPane(run, id, isOwn), socket, key: `${socket} ${id}` };
}

/** A session in our own tmux server. */
export interface OwnPane {
  readonly cliSessionId: string;
  readonly folder: string;
  readonly place: PanePlace;
}

const FORMAT = `#{pane_id} #{${PANE_OPTION}} #{pane_dead} #{pane_current_path}`;

/** Lists the sessions in our own tmux server. */
export async function listOwnPanes(): Promise<readonly OwnPane[]> {
  const run = createTmux({ name: TMUX_NAME });
  const list = (format: string) => run(['list-panes', '-a', '-F', format]).catch(() => '');
  // Any character but the end of a line may be part of a path, so each line has one path. The socket of all panes is the same.
  const [socket = ''] = (await list('#{socket_path}')).split('\n');
  return (await list(FORMAT)).split('\n').flatMap((line) => {
    const [, id, cliSessionId, dead, folder] = /^(%\d+) ([\w-]+) (\d?) (.+)$/.exec(line) ?? [];
    if (id === undefined || cliSessionId === undefined || folder === undefined || dead === '1')
      return [];
    return [{ cliSessionId, folder, place: placeOf(run, socket, id, true) }];
  });
}
