import type { AgentEvent } from '../../api/agent-event.js';
import type { AcpMessage, AcpOutcome, AcpRequest } from './acp-request.js';
import { AcpTurn, type HeldSession } from './acp-turn.js';
import { EventQueue } from './event-queue.js';

/** A step that no process has taken up yet may be given to another one, this often. */
const MOST_MOVES = 3;

/** What is said to a warm agent in one session: a prompt, and more where the session is held for it. */
export class AcpSession {
  readonly #request: AcpRequest;
  #held: HeldSession | undefined;

  constructor(request: AcpRequest) {
    this.#request = request;
  }

  /** Whether the session is still there for another message. */
  get isHeld(): boolean {
    return this.#held?.place.process.isAlive ?? false;
  }

  async *say(message: AcpMessage): AsyncGenerator<AgentEvent, AcpOutcome> {
    const queue = new EventQueue(message.queueFile);
    const ending = new AbortController();
    const signal = AbortSignal.any([this.#request.signal, ending.signal]);
    const turn = this.#run(message, queue, signal).finally(() => queue.end());
    turn.catch(() => {});
    try {
      yield* queue;
      return await turn;
    } finally {
      // Reached by `return()` as well: nothing of the step may outlive the iteration.
      ending.abort();
      await turn.catch(() => {});
    }
  }

  /** Gives the place back. What the agent still says in the session is nobody's business any more. */
  close(): void {
    const held = this.#held;
    this.#held = undefined;
    held?.session.detach();
    held?.place.release();
  }

  #run(message: AcpMessage, queue: EventQueue, signal: AbortSignal): Promise<AcpOutcome> {
    const held = this.#held;
    this.#held = undefined;
    return held === undefined
      ? this.#begin(message, queue, signal)
      : this.#goOn(held, message, queue, signal);
  }

  async #goOn(
    { place, session }: HeldSession,
    message: AcpMessage,
    queue: EventQueue,
    signal: AbortSignal,
  ): Promise<AcpOutcome> {
    const turn = new AcpTurn({ request: this.#request, message, place, session, queue, signal });
    const outcome = await turn.run();
    this.#held = turn.held;
    return outcome;
  }

  /** A step that no process has taken up is moved to another. */
  async #begin(message: AcpMessage, queue: EventQueue, signal: AbortSignal): Promise<AcpOutcome> {
    const request = this.#request;
    for (let moves = 0; ; moves++) {
      const place = await request.pool.acquire({
        launch: request.launch,
        spec: request.spec,
        // Retries are told without saying whose: they can only be counted where they must be this step's.
        isExclusive: request.maxAttempts !== undefined,
        signal,
        logger: request.logger,
      });
      const turn = new AcpTurn({ request, message, place, queue, signal, isMoved: moves > 0 });
      const outcome = await turn.run();
      this.#held = turn.held;
      const mayMove = outcome.death !== undefined && outcome.wasReady && !turn.isAccepted;
      if (!mayMove || outcome.ownEnd !== undefined || moves === MOST_MOVES) return outcome;
      request.logger.info({ moves }, 'the process has gone before it took up the step: moved');
    }
  }
}
