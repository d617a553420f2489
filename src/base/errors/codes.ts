import type { ErrorCode } from '../../api/error.js';

interface CodeFacts {
  readonly retryable: boolean;
  /** Advice for the user if the error has no more precise one. */
  readonly hint: string;
}

/**
 * Closed list of error codes. `retryable` means that the same step, unchanged, may succeed later.
 * Hints name only commands and settings that exist in CLI 0.61: for example, there is no `gemini auth login`.
 */
export const ERROR_CODES: Readonly<Record<ErrorCode, CodeFacts>> = {
  INVALID_CONFIG: { retryable: false, hint: 'Correct the named configuration keys.' },
  INVALID_INPUT: {
    retryable: false,
    hint: 'Correct the named prompt, prompt file, directory or session.',
  },
  CLI_NOT_FOUND: {
    retryable: false,
    hint: 'Install the CLI with `npm install @google/gemini-cli` in the project, or set `cliPath` or GEMINI_CLI_PATH to the executable.',
  },
  CLI_CONFIG: {
    retryable: false,
    hint: 'Correct what the CLI reports in `stderrTail`: a settings.json that is not JSON, or a flag that this CLI version does not know.',
  },
  AUTH: {
    retryable: false,
    hint: 'Set GEMINI_API_KEY, or the Vertex AI variables (GOOGLE_GENAI_USE_VERTEXAI=true with GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION), or `security.auth.selectedType` in ~/.gemini/settings.json.',
  },
  UNTRUSTED_WORKSPACE: {
    retryable: false,
    hint: "Set `trustWorkspace: true` if the working directory's own settings, hooks and MCP servers may run, or trust the folder once in interactive mode.",
  },
  SANDBOX: {
    retryable: false,
    hint: 'Install the sandbox command and its image (docker or podman), or turn `sandbox` off.',
  },
  MODEL_NOT_FOUND: {
    retryable: false,
    hint: 'Set `model` to a model that this account can use, or leave it out.',
  },
  API_REQUEST: {
    retryable: false,
    hint: 'The API refused the request. Its answer is in `stderrTail` and `message`: correct what it names.',
  },
  RATE_LIMITED: {
    retryable: true,
    hint: 'Wait for `retryAfterMs` (or back off exponentially) and run fewer steps at once.',
  },
  QUOTA_EXHAUSTED: {
    retryable: false,
    hint: 'The quota is used up: wait for it to be renewed, raise it in AI Studio or the Cloud console, or set another `model` or key.',
  },
  API_UNAVAILABLE: { retryable: true, hint: 'The API is down or overloaded: try again later.' },
  NETWORK: {
    retryable: true,
    hint: 'The connection to the API failed: check the network, the proxy variables and the base URL, then try again.',
  },
  CONTENT_BLOCKED: {
    retryable: false,
    hint: 'A content filter blocked the answer: change the prompt.',
  },
  EMPTY_RESPONSE: {
    retryable: true,
    hint: 'The model gave no usable answer after the CLI had tried four times: try again, or use another `model`.',
  },
  CONTEXT_OVERFLOW: {
    retryable: false,
    hint: 'Prompt and history do not fit into the context window of the model: shorten the prompt or start a fresh session.',
  },
  TURN_LIMIT: {
    retryable: false,
    hint: 'Raise `model.maxSessionTurns` in settings.json, or resume the session (`resume`) with the remaining work.',
  },
  LOOP_DETECTED: {
    retryable: false,
    hint: 'The model repeated itself and the CLI stopped it: make the prompt more precise or use another `model`.',
  },
  TOOL_FAILED: {
    retryable: false,
    hint: 'Free disk space, or correct the problem that the tool reports in `message`.',
  },
  HOOK_STOPPED: {
    retryable: false,
    hint: 'A hook of the CLI ended the step: check `hooks` in the user and project settings.json.',
  },
  EXPECTATION_FAILED: {
    retryable: false,
    hint: 'See `missing` for the unmet expectations. Raise `repair` to let the agent correct them, or continue with `resume` and the session id.',
  },
  TIMEOUT: {
    retryable: true,
    hint: 'Raise `timeout`, `idleTimeout` or `startTimeout`, or resume the session.',
  },
  CANCELLED: {
    retryable: false,
    hint: 'Run the step again when it is wanted, or continue with `resume` and the session id.',
  },
  INCOMPLETE: {
    retryable: true,
    hint: 'The CLI ended without a result (killed, crashed or out of memory): try again, or resume the session.',
  },
  PROTOCOL: {
    retryable: false,
    hint: 'Standard output is not from the Gemini CLI: check `cliPath`, and wrapper scripts that print to stdout.',
  },
  UNKNOWN: { retryable: false, hint: 'See `stderrTail`, `exitCode` and `partial`.' },
};
