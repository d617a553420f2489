import type { PlannedStep } from '../../api/batch-plan.js';
import { createHeap } from '../plan/heap.js';

/** A list of needs, which many steps may share, and how many of them are still to come. */
interface Gate {
  missing: number;
  readonly places: number[];
}

/** Which steps may run: those whose needs are met, in the order of the plan. */
export class StepGraph {
  /** Each step after those it needs. */
  readonly #steps: readonly PlannedStep[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #gates = new Map<string, Gate[]>();
  readonly #ready = createHeap();
  readonly #settled = new Set<string>();
  #readyCount = 0;

  constructor(ordered: readonly PlannedStep[]) {
    this.#steps = ordered;
    this.#places = new Map(ordered.map(({ id }, place) => [id, place]));
    const gates = new Map<readonly string[], Gate>();
    for (const [place, { needs }] of ordered.entries()) {
      const gate = gates.get(needs) ?? this.#createGate(needs);
      gates.set(needs, gate);
      gate.places.push(place);
      if (gate.missing === 0) this.#offer(place);
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
    for (const gate of this.#gates.get(id) ?? []) {
      gate.missing--;
      if (gate.missing > 0) continue;
      for (const place of gate.places) {
        if (!this.#settled.has(this.#steps[place]?.id ?? '')) this.#offer(place);
      }
    }
  }

  /** Everything that can no longer run because of it, whether it depends on it directly or not. */
  fail({ id }: PlannedStep): PlannedStep[] {
    this.#settled.add(id);
    const skipped: PlannedStep[] = [];
    const pending = [id];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const place of (this.#gates.get(next) ?? []).flatMap(({ places }) => places)) {
        const step = this.#steps[place];
        if (step === undefined || this.#settled.has(step.id)) continue;
        this.#settled.add(step.id);
        skipped.push(step);
        pending.push(step.id);
      }
    }
    return skipped.sort((a, b) => a.index - b.index);
  }

  #createGate(needs: readonly string[]): Gate {
    const open = [...new Set(needs)].filter((id) => this.#places.has(id));
    const gate: Gate = { missing: open.length, places: [] };
    for (const id of open) {
      const gates = this.#gates.get(id);
      if (gates === undefined) this.#gates.set(id, [gate]);
      else gates.push(gate);
    }
    return gate;
  }

  #offer(place: number): void {
    this.#ready.push(place);
    this.#readyCount++;
  }
}
