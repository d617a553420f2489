import type { Launch } from './launch.js';
import type { PoolMember } from './pool-member.js';
import type { ResolvedPoolOptions } from './pool-options.js';
import type { SlotQueue, SlotRequest } from './slot-queue.js';
import type { StartingProcesses } from './starting-processes.js';

interface PoolParts {
  readonly options: ResolvedPoolOptions;
  readonly members: ReadonlySet<PoolMember>;
  readonly starting: StartingProcesses;
  readonly queue: SlotQueue;
}

/** Answers which process of a pool may take a step, and whether a further process may be started. */
export class PoolRoom {
  readonly #parts: PoolParts;

  constructor(parts: PoolParts) {
    this.#parts = parts;
  }

  /** Returns all processes of a launch key. */
  findAll({ key }: Launch): PoolMember[] {
    return [...this.#parts.members].filter(({ process }) => process.launch.key === key);
  }

  /**
   * Finds a process with a free slot. Prefers a process that has a spare session for the step. If the CPU time of a
   * process has become the limit, steps go to the process with the fewest steps. Otherwise they fill one process after
   * another: long steps on many processes would keep all of them from being replaced.
   */
  choose({ launch, spec, isExclusive }: SlotRequest): PoolMember | undefined {
    if (this.#isFull(launch)) return undefined;
    const limit = isExclusive ? 1 : this.#parts.options.sessionsPerProcess;
    const free = this.#findServing(launch).filter((member) => {
      return !member.isExclusive && member.active < limit;
    });
    const least = Math.min(...free.map(({ active }) => active));
    const isLimit = free.some(({ isBusy }) => isBusy);
    const able = isLimit ? free.filter(({ active }) => active === least) : free;
    return able.find((member) => member.hasSpare(spec)) ?? able[0];
  }

  /**
   * True if a further process may be started for a step: the limits allow one more, and the processes that are being
   * started have no slot for the step.
   */
  mayStart(request: SlotRequest): boolean {
    const { launch, isExclusive } = request;
    const { options, starting, queue } = this.#parts;
    const slots = starting.count(launch.key) * (isExclusive ? 1 : options.sessionsPerProcess);
    const others = starting.countSteps(launch.key) + queue.countOthers(request);
    return others >= slots && this.hasRoomToServe(launch) && !this.#isFull(launch);
  }

  /** True if fewer than `maxProcesses` processes take steps, and fewer than twice as many exist. */
  hasRoomToServe(launch: Launch): boolean {
    const serving = this.#findServing(launch).length + this.#parts.starting.count(launch.key);
    return serving < this.#parts.options.maxProcesses && this.hasRoom(launch);
  }

  hasRoom(launch: Launch): boolean {
    const processes = this.findAll(launch).length + this.#parts.starting.count(launch.key);
    return processes < this.#parts.options.maxProcesses * 2;
  }

  /** True if as many steps of the launch run, or wait for their process to start, as the limits allow. */
  #isFull(launch: Launch): boolean {
    const { maxProcesses, sessionsPerProcess } = this.#parts.options;
    const running = this.findAll(launch).reduce((total, { active }) => total + active, 0);
    const starting = this.#parts.starting.countSteps(launch.key);
    return running + starting >= maxProcesses * sessionsPerProcess;
  }

  /** Returns the processes that may take further steps. A replacement is one of them if the other one has died. */
  #findServing(launch: Launch): PoolMember[] {
    const able = this.findAll(launch).filter(({ isAble }) => isAble);
    const serving = able.filter(({ isStandby }) => !isStandby);
    return serving.length > 0 ? serving : able;
  }
}
