/** Program that a hook of the CLI runs where curl is missing: sends stdin to the server and prints its answer. */
import { request } from 'node:http';

const [socketPath = '', event = '', parent = '', silenceSeconds = '30'] = process.argv.slice(2);
const headers = {
  'content-type': 'application/json',
  'x-tmux': process.env['TMUX'] ?? '',
  'x-tmux-pane': process.env['TMUX_PANE'] ?? '',
  'x-parent': parent,
};
const giveUp = (): never => process.exit(1);
const outgoing = request(
  { socketPath, path: `/hook/${event}`, method: 'POST', headers },
  (response) => {
    if (response.statusCode !== 200) giveUp();
    response.pipe(process.stdout);
  },
);
outgoing.on('error', giveUp);
// The server sends a sign of life every few seconds: without one, it is stopped or hangs.
outgoing.setTimeout(Number(silenceSeconds) * 1000, giveUp);
process.stdin.pipe(outgoing);
