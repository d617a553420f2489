import type { PlannedStep } from '../contract/batch-plan.js';
import { createHeap } from '../plan/heap.js';

/** Which steps may run: those whose needs are met, in the order of the plan. */
export class StepGraph {
  /** Each step after those it needs. */
  readonly #steps: readonly PlannedStep[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #missing: number[];
  readonly #dependants = new Map<string, number[]>();
  readonly #ready = createHeap();
  readonly #settled = new Set<string>();
  #readyCount = 0;

  constructor(ordered: readonly PlannedStep[]) {
    this.#steps = ordered;
    this.#places = new Map(ordered.map(({ id }, place) => [id, place]));
    this.#missing = ordered.map(({ needs }) => new Set(needs).size);
    for (const [place, { needs }] of ordered.entries()) {
      for (const need of new Set(needs)) {
        const dependants = this.#dependants.get(need);
        if (dependants === undefined) this.#dependants.set(need, [place]);
        else dependants.push(place);
      }
      if (this.#missing[place] === 0) this.#offer(place);
    }
  }

  get hasReady(): boolean {
    return this.#readyCount > 0;
  }

  /** The next step in the order of the plan. */
  take(): PlannedStep | undefined {
    const place = this.#ready.pop();
    if (place === undefined) return undefined;
    this.#readyCount--;
    return this.#steps[place];
  }

  /** A step that is to run once more. */
  putBack({ id }: PlannedStep): void {
    this.#offer(this.#places.get(id) ?? 0);
  }

  /** What depends on it may run, as far as it waited for nothing else. */
  succeed({ id }: PlannedStep): void {
    this.#settled.add(id);
    for (const place of this.#dependants.get(id) ?? []) {
      const missing = (this.#missing[place] ?? 0) - 1;
      this.#missing[place] = missing;
      if (missing === 0 && !this.#settled.has(this.#steps[place]?.id ?? '')) this.#offer(place);
    }
  }

  /** Everything that can no longer run because of it, whether it depends on it directly or not. */
  fail({ id }: PlannedStep): PlannedStep[] {
    this.#settled.add(id);
    const skipped: PlannedStep[] = [];
    const pending = [id];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const place of this.#dependants.get(next) ?? []) {
        const step = this.#steps[place];
        if (step === undefined || this.#settled.has(step.id)) continue;
        this.#settled.add(step.id);
        skipped.push(step);
        pending.push(step.id);
      }
    }
    return skipped.sort((a, b) => a.index - b.index);
  }

  #offer(place: number): void {
    this.#ready.push(place);
    this.#readyCount++;
  }
}
