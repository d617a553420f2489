import type { AgentEvent } from '../../api/agent-event.js';
import type { TurnOutcome, TurnRequest } from '../driver.js';
import type { AcpRequest } from './acp-request.js';
import { type AcpOutcome, AcpTurn, type HeldSession } from './acp-turn.js';
import { EventQueue } from './event-queue.js';

/** A step that no process has taken up yet may be given to another one, this often. */
const MOST_MOVES = 3;

/** A step's session with a warm agent: one turn, and more where the session is held for them. */
export class AcpSession {
  readonly #request: AcpRequest;
  #held: HeldSession | undefined;

  constructor(request: AcpRequest) {
    this.#request = request;
  }

  /** Whether the session is still there for another turn. */
  get isHeld(): boolean {
    return this.#held?.slot.process.isAlive ?? false;
  }

  async *prompt(turn: TurnRequest): AsyncGenerator<AgentEvent, TurnOutcome> {
    const queue = new EventQueue(turn.directory.file('events.ndjson'));
    const ending = new AbortController();
    const signal = AbortSignal.any([this.#request.signal, ending.signal]);
    const outcome = this.#take(turn, queue, signal).finally(() => queue.end());
    outcome.catch(() => {});
    try {
      yield* queue;
      return await outcome;
    } finally {
      // Reached by `return()` as well: nothing of the step may outlive the iteration.
      ending.abort();
      await outcome.catch(() => {});
    }
  }

  /** Gives the slot back. Further updates of the session are dropped. */
  close(): void {
    const held = this.#held;
    this.#held = undefined;
    held?.session.detach();
    held?.slot.release();
  }

  #take(turn: TurnRequest, queue: EventQueue, signal: AbortSignal): Promise<AcpOutcome> {
    const held = this.#held;
    this.#held = undefined;
    return held === undefined
      ? this.#begin(turn, queue, signal)
      : this.#continue(held, turn, queue, signal);
  }

  async #continue(
    { slot, session }: HeldSession,
    turn: TurnRequest,
    queue: EventQueue,
    signal: AbortSignal,
  ): Promise<AcpOutcome> {
    const acpTurn = new AcpTurn({ request: this.#request, turn, slot, session, queue, signal });
    const outcome = await acpTurn.take();
    this.#held = acpTurn.held;
    return outcome;
  }

  /** Moves a step that no process has taken up to another one. */
  async #begin(turn: TurnRequest, queue: EventQueue, signal: AbortSignal): Promise<AcpOutcome> {
    const request = this.#request;
    const { workingDir, config, logger, processLogger } = request.resolved;
    for (let moves = 0; ; moves++) {
      const slot = await request.pool.acquire({
        launch: request.launch,
        spec: { cwd: workingDir, mcpServers: config.mcpServers },
        // Retries are told without saying whose: they can only be counted where they must be this step's.
        isExclusive: config.maxCliAttempts !== undefined,
        signal,
        logger: processLogger,
      });
      const acpTurn = new AcpTurn({ request, turn, slot, queue, signal, isMoved: moves > 0 });
      const outcome = await acpTurn.take();
      this.#held = acpTurn.held;
      const { exit, wasReady, stopReason } = outcome.facts;
      const mayMove = exit !== undefined && wasReady && !acpTurn.isAccepted;
      if (!mayMove || stopReason !== undefined || moves === MOST_MOVES) return outcome;
      logger.info({ moves }, 'the process has gone before it took up the step: moved');
    }
  }
}
