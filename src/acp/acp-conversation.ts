import type { AgentEvent } from '../contract/agent-event.js';
import type { AcpOutcome, AcpRequest } from './acp-request.js';
import { EventQueue } from './event-queue.js';
import { Turn } from './turn.js';

/** A step that no process has taken up yet may be given to another one, this often. */
const MOST_MOVES = 3;

/** Drives one prompt through a warm agent. A step that no process has taken up is moved to another. */
export async function* runAcp(request: AcpRequest): AsyncGenerator<AgentEvent, AcpOutcome> {
  const queue = new EventQueue(request.queueFile);
  const ending = new AbortController();
  const turn = runWithMoves(request, queue, ending.signal).finally(() => queue.end());
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

async function runWithMoves(
  request: AcpRequest,
  queue: EventQueue,
  abandoned: AbortSignal,
): Promise<AcpOutcome> {
  const signal = AbortSignal.any([request.signal, abandoned]);
  for (let moves = 0; ; moves++) {
    const place = await request.pool.acquire({
      launch: request.launch,
      spec: request.spec,
      // Retries are told without saying whose: they can only be counted where they must be this step's.
      isExclusive: request.maxAttempts !== undefined,
      signal,
      logger: request.logger,
    });
    const turn = new Turn({ request, place, queue, signal, isMoved: moves > 0 });
    const outcome = await turn.run();
    const mayMove = outcome.death !== undefined && outcome.wasReady && !turn.isAccepted;
    if (!mayMove || outcome.ownEnd !== undefined || moves === MOST_MOVES) return outcome;
    request.logger.info({ moves }, 'the process has gone before it took up the step: moved');
  }
}
