import type { PlannedStep } from '../../api/batch-plan.js';
import { createHeap } from '../plan/heap.js';

/** A list of needs, which many steps may share, and how many of them are still to come. */
interface Gate {
  missing: number;
  readonly indexes: number[];
}

/** Which steps may run: those whose needs are met, in the order of the plan. */
export class StepGraph {
  /** Each step after those it needs. */
  readonly #steps: readonly PlannedStep[];
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #gates = new Map<string, Gate[]>();
  readonly #ready = createHeap();
  readonly #settled = new Set<string>();
  #readyCount = 0;

  constructor(ordered: readonly PlannedStep[]) {
    this.#steps = ordered;
    this.#indexes = new Map(ordered.map(({ id }, index) => [id, index]));
    const gates = new Map<readonly string[], Gate>();
    for (const [index, { needs }] of ordered.entries()) {
      const gate = gates.get(needs) ?? this.#createGate(needs);
      gates.set(needs, gate);
      gate.indexes.push(index);
      if (gate.missing === 0) this.#offer(index);
    }
  }

  get hasReady(): boolean {
    return this.#readyCount > 0;
  }

  /** The next step in the order of the plan. */
  take(): PlannedStep | undefined {
    const index = this.#ready.pop();
    if (index === undefined) return undefined;
    this.#readyCount--;
    return this.#steps[index];
  }

  /** A step that is to run once more. */
  putBack({ id }: PlannedStep): void {
    this.#offer(this.#indexes.get(id) ?? 0);
  }

  /** What depends on it may run, as far as it waited for nothing else. */
  succeed({ id }: PlannedStep): void {
    this.#settled.add(id);
    for (const gate of this.#gates.get(id) ?? []) {
      gate.missing--;
      if (gate.missing > 0) continue;
      for (const index of gate.indexes) {
        if (!this.#settled.has(this.#steps[index]?.id ?? '')) this.#offer(index);
      }
    }
  }

  /** Everything that can no longer run because of it, whether it depends on it directly or not. */
  fail({ id }: PlannedStep): PlannedStep[] {
    this.#settled.add(id);
    const skipped: PlannedStep[] = [];
    const pending = [id];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const index of (this.#gates.get(next) ?? []).flatMap(({ indexes }) => indexes)) {
        const step = this.#steps[index];
        if (step === undefined || this.#settled.has(step.id)) continue;
        this.#settled.add(step.id);
        skipped.push(step);
        pending.push(step.id);
      }
    }
    return skipped.sort((a, b) => a.index - b.index);
  }

  #createGate(needs: readonly string[]): Gate {
    const open = [...new Set(needs)].filter((id) => this.#indexes.has(id));
    const gate: Gate = { missing: open.length, indexes: [] };
    for (const id of open) {
      const gates = this.#gates.get(id);
      if (gates === undefined) this.#gates.set(id, [gate]);
      else gates.push(gate);
    }
    return gate;
  }

  #offer(index: number): void {
    this.#ready.push(index);
    this.#readyCount++;
  }
}
