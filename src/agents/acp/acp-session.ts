import type { AgentEvent } from '../../api/agent-event.js';
import type { TurnOutcome, TurnRequest } from '../driver.js';
import { hideSecretFlags } from '../hide-secret-flags.js';
import type { AcpRequest } from './acp-request.js';
import { type AcpOutcome, AcpTurn, type HeldSession } from './acp-turn.js';
import { EventQueue } from './event-queue.js';
import { WaitNotice } from './wait-notice.js';

/**
 * Highest number of times that a step moves to another process because its process exited before it accepted the
 * prompt.
 */
const MAX_MOVES = 3;

/** Session of a step with a warm agent. The session is held after a turn if another turn may follow. */
export class AcpSession {
  readonly #request: AcpRequest;
  #held: HeldSession | undefined;

  constructor(request: AcpRequest) {
    this.#request = request;
  }

  /** True if the session can take another turn. */
  get isHeld(): boolean {
    return this.#held?.slot.process.isAlive ?? false;
  }

  async *prompt(turn: TurnRequest): AsyncGenerator<AgentEvent, TurnOutcome> {
    const queue = new EventQueue(turn.directory.file('events.ndjson'));
    const ending = new AbortController();
    const signal = AbortSignal.any([this.#request.signal, ending.signal]);
    const outcome = this.#takeTurn(turn, queue, signal).finally(() => queue.end());
    outcome.catch(() => {});
    try {
      yield* queue;
      return await outcome;
    } finally {
      // A caller that leaves the loop gets here too, by `return()`: the turn must not outlive the iteration.
      ending.abort();
      await outcome.catch(() => {});
    }
  }

  /** Releases the slot. Further updates of the session are dropped. */
  close(): void {
    const held = this.#held;
    this.#held = undefined;
    held?.session.detach();
    held?.slot.release();
  }

  #takeTurn(turn: TurnRequest, queue: EventQueue, signal: AbortSignal): Promise<AcpOutcome> {
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

  /**
   * Opens a session and takes the turn. Moves the step to another process if its process exits before it accepts
   * the prompt.
   */
  async #begin(turn: TurnRequest, queue: EventQueue, signal: AbortSignal): Promise<AcpOutcome> {
    const request = this.#request;
    const { workingDir, config, logger, processLogger } = request.resolved;
    for (let moves = 0; ; moves++) {
      const notice = new WaitNotice((event) => queue.push(turn.observe(event)));
      const slot = await request.pool
        .acquire({
          launch: request.launch,
          spec: { cwd: workingDir, mcpServers: config.mcpServers },
          // A retry notice does not name its session. Retries can be counted only if the step has the process to itself.
          isExclusive: config.maxCliAttempts !== undefined,
          signal,
          onWait: () => notice.begin(),
          logger: processLogger,
        })
        .finally(() => notice.end());
      const { process } = slot;
      logger.debug(
        {
          driver: 'acp',
          isWarm: process.isReady,
          pid: process.pid,
          argv: [process.launch.command, ...hideSecretFlags(process.args)],
          isShared: slot.isShared(),
        },
        'Slot of a pooled process taken',
      );
      const acpTurn = new AcpTurn({ request, turn, slot, queue, signal, isMoved: moves > 0 });
      const outcome = await acpTurn.take();
      this.#held = acpTurn.held;
      const { exit, wasReady, stopReason } = outcome.facts;
      const mayMove = exit !== undefined && wasReady && !acpTurn.isAccepted;
      if (!mayMove || stopReason !== undefined || moves === MAX_MOVES) return outcome;
      logger.info(
        { moves },
        'Step moves to another process: the agent exited before it accepted the prompt',
      );
    }
  }
}
