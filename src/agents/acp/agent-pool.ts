import { availableParallelism } from 'node:os';
import type { Logger } from '../../api/logger.js';
import type { PoolOptions, PoolStats, WarmPool } from '../../api/warm-pool.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { readMemoryMb } from '../../base/process/process-table.js';
import { closeIdleReaper } from '../../base/process/reaper.js';
import { acceptPoolOptions } from '../../config/accept-pool-options.js';
import { AgentProcess } from './agent-process.js';
import type { Launch } from './launch.js';
import { PoolMember } from './pool-member.js';
import { type ResolvedPoolOptions, resolvePoolOptions } from './pool-options.js';
import { PoolRoom } from './pool-room.js';
import { createPoolSlot, type PoolSlot } from './pool-slot.js';
import { ProcessLoad } from './process-load.js';
import { SlotQueue, type SlotRequest } from './slot-queue.js';
import { StartingProcesses } from './starting-processes.js';

/** Sessions that a process may still serve when its replacement is started. */
const REPLACEMENT_LEAD = 5;

/** Pool of warm agent processes. Steps get slots on them. Several providers may share a pool. */
export class AgentPool implements WarmPool {
  /** Marks the object as a pool. */
  readonly kind = 'agent-pool';
  readonly #options: ResolvedPoolOptions;
  readonly #limitedBy: PoolStats['limitedBy'];
  readonly #members = new Set<PoolMember>();
  readonly #starting = new StartingProcesses();
  readonly #starts = new Set<Promise<PoolMember>>();
  readonly #idleTimers = new Map<PoolMember, NodeJS.Timeout>();
  readonly #endings = new Set<Promise<void>>();
  readonly #queue = new SlotQueue();
  readonly #load = new ProcessLoad();
  readonly #room: PoolRoom;
  #started = 0;
  #sessionsOfEndedProcesses = 0;
  #isDisposed = false;

  /** Creates a pool. Processes are started when steps need them. Throws INVALID_CONFIG. */
  constructor(options: PoolOptions = {}) {
    const given = acceptPoolOptions(options);
    this.#options = resolvePoolOptions(given);
    this.#limitedBy = given.maxProcesses === undefined ? 'cores' : 'option';
    this.#room = new PoolRoom({
      options: this.#options,
      members: this.#members,
      starting: this.#starting,
      queue: this.#queue,
    });
  }

  /** Returns the numbers of the pool at this moment. */
  stats(): PoolStats {
    const members = [...this.#members];
    const sum = (count: (member: PoolMember) => number) =>
      members.reduce((total, member) => total + count(member), 0);
    return {
      processes: members.length,
      draining: members.filter(({ isRetired }) => isRetired).length,
      running: sum(({ active }) => active),
      waiting: this.#queue.length,
      started: this.#started,
      sessions: this.#sessionsOfEndedProcesses + sum(({ created }) => created),
      maxProcesses: this.#options.maxProcesses,
      cores: availableParallelism(),
      limitedBy: this.#limitedBy,
    };
  }

  /**
   * Waits for a free slot, or starts a process if the limit allows one more. Throws CANCELLED if the signal is aborted or
   * the pool is disposed of while the step waits, and INVALID_INPUT if it was before. Called by providers.
   * @internal
   */
  async acquire(request: SlotRequest): Promise<PoolSlot> {
    if (this.#isDisposed) throw disposed();
    for (;;) {
      this.#check(request);
      const free = this.#chooseFor(request);
      if (free !== undefined) this.#occupy(free, request);
      const member = free ?? (await this.#startOrQueue(request));
      if (this.#isDisposed) continue;
      if (member !== undefined) return this.#createSlot(member, request);
    }
  }

  /** Ends all processes and waits for their end. Running steps fail with INCOMPLETE. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#queue.endWaiting();
    for (const member of this.#members) this.#end(member);
    await Promise.allSettled(this.#starts);
    await Promise.all(this.#endings);
    await closeIdleReaper();
  }

  /** Same as `dispose()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  #check({ signal }: SlotRequest): void {
    if (!this.#isDisposed && !signal.aborted) return;
    const message = this.#isDisposed
      ? 'The pool has been disposed of'
      : 'The step was cancelled while it waited for a slot of the pool';
    throw new ProviderError({ code: 'CANCELLED', message, cause: signal.reason });
  }

  #startOrQueue(request: SlotRequest): Promise<PoolMember | undefined> {
    return this.#room.mayStart(request)
      ? this.#start(request.launch, request.logger, request)
      : this.#queue.wait(request);
  }

  #start(launch: Launch, logger: Logger, firstRequest?: SlotRequest): Promise<PoolMember> {
    const start = this.#spawn(launch, logger, firstRequest).finally(() => {
      this.#starts.delete(start);
    });
    this.#starts.add(start);
    return start;
  }

  async #spawn(launch: Launch, logger: Logger, firstRequest?: SlotRequest): Promise<PoolMember> {
    const started = this.#starting.begin(launch.key, firstRequest !== undefined);
    try {
      const process = await AgentProcess.spawn(launch, logger);
      this.#started++;
      const member = new PoolMember(process);
      member.isStandby = firstRequest === undefined;
      this.#members.add(member);
      if (firstRequest !== undefined) this.#occupy(member, firstRequest);
      void process.exited.then(() => this.#end(member));
      // The pool may have been disposed of while the process was starting.
      if (this.#isDisposed) this.#end(member);
      return member;
    } finally {
      started();
      this.#admitWaiters();
    }
  }

  #occupy(member: PoolMember, { isExclusive }: SlotRequest): void {
    clearTimeout(this.#idleTimers.get(member));
    member.active++;
    member.isExclusive = isExclusive;
    member.process.keepAlive(true);
  }

  #createSlot(member: PoolMember, { spec, logger }: SlotRequest): PoolSlot {
    return createPoolSlot(member, {
      spec,
      spareSessions: this.#options.spareSessions,
      startAhead: () => this.#startAhead(member, logger),
      release: () => this.#release(member),
      end: () => this.#end(member),
    });
  }

  #release(member: PoolMember): void {
    member.active--;
    member.isExclusive = false;
    const { pid } = member.process;
    const memoryMb = (pid === undefined ? undefined : readMemoryMb(pid)) ?? 0;
    const { maxSessions, maxMemoryMb } = this.#options;
    if (member.served >= maxSessions || memoryMb > maxMemoryMb) member.isRetired = true;
    const isDone = member.isRetired || this.#isDisposed || !member.process.isAlive;
    if (member.active === 0) {
      if (isDone) this.#end(member);
      else this.#startIdleTimer(member);
    }
    this.#admitWaiters();
  }

  /** Lets the Node process exit although the idle agent still runs, and ends the agent after `idleShutdown`. */
  #startIdleTimer(member: PoolMember): void {
    member.process.keepAlive(false);
    const timer = setTimeout(() => {
      if (member.active === 0) this.#end(member);
    }, this.#options.idleShutdown * 1000);
    timer.unref();
    this.#idleTimers.set(member, timer);
  }

  /**
   * Starts a process that steps will need: a replacement for one that nears `maxSessions`, or a further one where the CPU
   * time of one process is not enough. No step waits for the start.
   */
  #startAhead(member: PoolMember, logger: Logger): void {
    const { launch } = member.process;
    const isBusy = this.#load.isBusy(member);
    member.isBusy ||= isBusy;
    if (this.#starting.count(launch.key) > 0) return;
    const isNearEnd = member.served >= this.#options.maxSessions - REPLACEMENT_LEAD;
    const isLast = !this.#room.findAll(launch).some((other) => {
      return other !== member && !other.isRetired;
    });
    const isReplacement = isNearEnd && isLast && this.#room.hasRoom(launch);
    if (!isReplacement && !(isBusy && this.#room.hasRoomToServe(launch))) return;
    this.#serveWhenReady(member, isReplacement, logger).catch((error: unknown) => {
      logger.warn({ error: String(error) }, 'A further agent process could not be started');
    });
  }

  /** Starts a process that takes steps, or those of the other one, as soon as its handshake is complete. */
  async #serveWhenReady(member: PoolMember, isReplacement: boolean, logger: Logger): Promise<void> {
    const further = await this.#start(member.process.launch, logger);
    try {
      await further.process.ready;
    } catch (error) {
      this.#end(further);
      throw error;
    }
    further.isStandby = false;
    if (isReplacement) member.isRetired = true;
    if (isReplacement && member.active === 0) this.#end(member);
    if (further.active === 0) this.#startIdleTimer(further);
    this.#admitWaiters();
  }

  #end(member: PoolMember): void {
    if (!this.#members.delete(member)) return;
    clearTimeout(this.#idleTimers.get(member));
    this.#idleTimers.delete(member);
    this.#sessionsOfEndedProcesses += member.created;
    const ending = member.process
      .end()
      .then(() => member.removeUnused())
      .finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
    this.#admitWaiters();
  }

  /** Finds a process with a free slot, unless earlier steps wait for the same launch key. */
  #chooseFor(request: SlotRequest): PoolMember | undefined {
    return this.#queue.isWaitedFor(request.launch.key) ? undefined : this.#room.choose(request);
  }

  #admitWaiters(): void {
    this.#queue.admit((request) => {
      const member = this.#room.choose(request);
      if (member !== undefined) this.#occupy(member, request);
      return member ?? (this.#room.mayStart(request) ? 'start' : undefined);
    });
  }
}

function disposed(): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: 'The pool has been disposed of',
    hint: 'Create a new AgentPool, or dispose of the pool after the last step.',
  });
}
