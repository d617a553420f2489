import { shellWord } from '../tmux/shell-word.js';

/** Name of the extension, as the CLI lists it. */
export const EXTENSION_NAME = 'gemini-cli-provider-remote';

/** Longest time that a hook may wait for a person. A larger number than 2147483647 would count as over at once. */
const WAIT_MS = 24 * 60 * 60 * 1000;
const QUICK_MS = 10_000;

/** Events of the CLI, the name that the CLI shows while the hook runs, and its limit of time. */
const EVENTS: readonly (readonly [event: string, name: string, timeoutMs: number])[] = [
  ['SessionStart', 'remote-session', QUICK_MS],
  ['SessionEnd', 'remote-session', QUICK_MS],
  ['BeforeAgent', 'remote-prompt', QUICK_MS],
  ['AfterAgent', 'remote-answer', QUICK_MS],
  ['BeforeTool', 'waiting-for-your-phone', WAIT_MS],
  ['AfterTool', 'remote-tool', QUICK_MS],
  ['Notification', 'waiting-for-your-phone', WAIT_MS],
];

/** Names of the hooks, as the CLI lists them. */
export const HOOK_NAMES: readonly string[] = [...new Set(EVENTS.map(([, name]) => name))];

export interface ExtensionPaths {
  /** Folder of the extension. */
  readonly folder: string;
  /** Socket of the server. */
  readonly socket: string;
  /** Node.js, for machines without curl. */
  readonly node: string;
  /** Script that does the same as curl. */
  readonly script: string;
  readonly version: string;
  /** Seconds without a sign of life from the server after which a hook gives up. The server sends one every few seconds. */
  readonly silenceSeconds?: number;
}

const SILENCE_SECONDS = 30;

/** Returns the files of the extension, by their path in its folder. */
export function renderExtension(paths: ExtensionPaths): Readonly<Record<string, string>> {
  const { folder, version } = paths;
  const hooks = Object.fromEntries(
    EVENTS.map(([event, name, timeout]) => {
      const command = `sh ${shellWord(`${folder}/bridge.sh`)} ${event}`;
      return [event, [{ hooks: [{ type: 'command', name, command, timeout }] }]];
    }),
  );
  return {
    'gemini-extension.json': `${JSON.stringify({ name: EXTENSION_NAME, version }, undefined, 2)}\n`,
    'hooks/hooks.json': `${JSON.stringify({ hooks }, undefined, 2)}\n`,
    'bridge.sh': renderBridge(paths),
  };
}

/**
 * Returns the script that connects a hook of the CLI with the server. It answers `{}` whenever something is missing or
 * fails: the CLI then shows its dialog at the desk, as if there were no hook. A server that is stopped is given up after a
 * while, and a socket of another user is not used. Steps of this package are no sessions of a person and are left alone. The
 * exit code is always 0, because 2 would refuse the call. Options of the user's .curlrc, such as one that prints headers, do not count.
 */
function renderBridge({
  socket,
  node,
  script,
  silenceSeconds = SILENCE_SECONDS,
}: ExtensionPaths): string {
  return `#!/bin/sh
# Connects a hook of the Gemini CLI with the remote server. Answers {} if there is no server: the CLI then goes on by itself.
SOCKET=${shellWord(socket)}
if [ -n "$GEMINI_CLI_PROVIDER_TAG" ] || [ ! -S "$SOCKET" ] || [ ! -O "$SOCKET" ]; then
  cat > /dev/null
  printf '{}'
  exit 0
fi
if command -v curl > /dev/null 2>&1; then
  ANSWER=$(curl -q --silent --fail --noproxy '*' --unix-socket "$SOCKET" --header 'content-type: application/json' \\
    --header "x-tmux: $TMUX" --header "x-tmux-pane: $TMUX_PANE" --header "x-parent: $PPID" \\
    --connect-timeout ${silenceSeconds} --speed-limit 1 --speed-time ${silenceSeconds} \\
    --data-binary @- "http://localhost/hook/$1" 2> /dev/null) || ANSWER='{}'
else
  ANSWER=$(${shellWord(node)} ${shellWord(script)} "$SOCKET" "$1" "$PPID" ${silenceSeconds} 2> /dev/null) || ANSWER='{}'
fi
case "$ANSWER" in
  *[![:space:]]*}) ;;
  *) ANSWER='{}' ;;
esac
printf '%s' "$ANSWER"
exit 0
`;
}
