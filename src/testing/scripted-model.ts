import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { readInput } from '../base/errors/invalid-input.js';
import { messageOf } from '../base/errors/message-of.js';
import { findSizeProblem } from '../base/json/find-size-problem.js';
import { playTurn, sendJson } from './answer.js';
import { checkScript } from './check-script.js';
import { checkTurn } from './check-turn.js';
import { checkRecord, refuse } from './check-value.js';
import { createCliHome } from './cli-home.js';
import { parseModelRequest, wantsJson } from './model-request.js';
import {
  type ModelRequest,
  type Script,
  type ScriptedFunction,
  type ScriptedRule,
  type ScriptedTurn,
  toRules,
} from './script.js';

/** Most values in the settings, in all their objects and lists together. */
const MOST_SETTINGS = 100_000;

/** Options of `startScriptedModel`. */
export interface ScriptedModelOptions {
  /**
   * Settings to merge into the `settings.json` of the CLI's home.
   *
   * @defaultValue `{}`
   */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

/** A Gemini API on the loopback interface that answers from a script, and a home folder for the CLI. */
export interface ScriptedModel {
  /** Base URL of the API. */
  readonly url: string;
  /** Environment variables for the CLI: `new GeminiCliProvider({ env: model.env })`. */
  readonly env: Readonly<Record<string, string>>;
  /** Home folder of the CLI (GEMINI_CLI_HOME). `close()` removes it. */
  readonly home: string;
  /** Requests to the model so far, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** Requests that no rule of the script answers, oldest first. The CLI gets HTTP 400 for them. */
  readonly unanswered: readonly ModelRequest[];
  /** Stops the server, closes open connections and removes the home folder. */
  close(): Promise<void>;
  /** Same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a scripted model. Throws INVALID_INPUT that names the wrong entry if the script is wrong. */
export async function startScriptedModel(
  script: Script,
  options: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  checkScript(script);
  const settings = readInput('options', () => checkSettings(options));
  const requests: ModelRequest[] = [];
  const unanswered: ModelRequest[] = [];
  const play = createPlayer(toRules(script), unanswered);
  const home = await createCliHome(settings);
  const server = createServer((request, response) => {
    answer(request, response, requests, play).catch((error: unknown) =>
      sendFailure(error, response),
    );
  });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await home.remove();
  };
  try {
    const url = await listen(server);
    const env = home.envFor(url);
    return { url, env, home: home.path, requests, unanswered, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

function checkSettings(options: ScriptedModelOptions): Readonly<Record<string, unknown>> {
  const { settings = {} } = checkRecord(options, 'options');
  const problem = findSizeProblem(settings, MOST_SETTINGS);
  if (problem !== undefined) refuse('settings', `smaller: they ${problem}`, settings);
  return checkRecord(settings, 'settings');
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://127.0.0.1:${port}`;
}

/** Answers with HTTP 500, or closes the connection if a part of the answer is already sent. */
function sendFailure(error: unknown, response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else
    sendJson(500, { error: { code: 500, message: String(error), status: 'INTERNAL' } }, response);
}

type Player = (request: ModelRequest) => Promise<ScriptedTurn>;

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  requests: ModelRequest[],
  play: Player,
): Promise<void> {
  const asked = parseModelRequest(request.url ?? '', await text(request));
  if (asked === undefined) {
    sendJson(404, { error: { code: 404, message: 'Not found', status: 'NOT_FOUND' } }, response);
    return;
  }
  requests.push(asked);
  if (asked.method === 'countTokens') {
    sendJson(200, { totalTokens: Math.ceil(asked.prompt.length / 4) }, response);
  } else if (wantsJson(asked)) {
    const choice = { reasoning: 'scripted', model_choice: 'flash', next_speaker: 'user' };
    await playTurn({ text: JSON.stringify(choice) }, asked.streaming, response);
  } else {
    await playTurn(await play(asked), asked.streaming, response);
  }
}

/** Chooses the turn for each request. Requests are counted only for answers with `attempts`. */
function createPlayer(rules: readonly ScriptedRule[], unanswered: ModelRequest[]): Player {
  const attempts = new Map<string, number>();
  return async (request) => {
    const index = rules.findIndex((rule) => matches(rule, request));
    const turns = rules[index]?.turns ?? [];
    const entry = turns[Math.min(request.turn, turns.length - 1)];
    if (entry === undefined) {
      unanswered.push(request);
      return {
        error: {
          status: 400,
          message: `No rule of the script matches the prompt: ${request.prompt.slice(0, 200)}`,
        },
      };
    }
    if (typeof entry === 'function') return callFunction(entry, request);
    if (!('attempts' in entry)) return entry;
    const key = `${index} ${request.turn} ${request.prompt}`;
    const attempt = attempts.get(key) ?? 0;
    attempts.set(key, attempt + 1);
    const turn = entry.attempts[Math.min(attempt, entry.attempts.length - 1)] ?? {};
    return typeof turn === 'function' ? callFunction(turn, request) : turn;
  };
}

/** Calls a function of the script. What it throws, or a wrong turn, is an HTTP error that the CLI does not retry. */
async function callFunction(
  answerRequest: ScriptedFunction,
  request: ModelRequest,
): Promise<ScriptedTurn> {
  try {
    const turn = await answerRequest(request);
    checkTurn(checkRecord(turn, 'The turn of a function'), 'The turn of a function');
    return turn;
  } catch (error) {
    return { error: { status: 400, message: `The script failed: ${messageOf(error)}` } };
  }
}

function matches({ prompt }: ScriptedRule, request: ModelRequest): boolean {
  if (prompt === undefined) return true;
  if (typeof prompt === 'function') return prompt(request);
  return typeof prompt === 'string'
    ? request.prompt.includes(prompt)
    : // With the flag g, `test` would continue from its last match; `search` starts at the beginning.
      request.prompt.search(prompt) !== -1;
}
