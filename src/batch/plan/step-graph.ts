import type { PlannedStep } from '../../api/batch-plan.js';
import { createHeap } from './heap.js';

/** List of needs that several steps may share, with the number of needed steps that have not succeeded yet. */
interface Gate {
  missing: number;
  readonly indexes: number[];
}

/** Offers the steps whose needs are met, in the order of the plan. */
export class StepGraph {
  readonly #steps: readonly PlannedStep[];
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #gates = new Map<string, Gate[]>();
  readonly #ready = createHeap();
  readonly #finished = new Set<string>();
  #readyCount = 0;

  constructor(steps: readonly PlannedStep[]) {
    this.#steps = steps;
    this.#indexes = new Map(steps.map(({ id }, index) => [id, index]));
    const gates = new Map<readonly string[], Gate>();
    for (const [index, { needs }] of steps.entries()) {
      const gate = gates.get(needs) ?? this.#createGate(needs);
      gates.set(needs, gate);
      gate.indexes.push(index);
      if (gate.missing === 0) this.#offer(index);
    }
  }

  get hasReady(): boolean {
    return this.#readyCount > 0;
  }

  /** Removes and returns the next step that may run, in the order of the plan. */
  take(): PlannedStep | undefined {
    const index = this.#ready.pop();
    if (index === undefined) return undefined;
    this.#readyCount--;
    return this.#steps[index];
  }

  /** Offers a step again, for a retry or a later start. */
  putBack({ id }: PlannedStep): void {
    this.#offer(this.#indexes.get(id) ?? 0);
  }

  /** Marks a step as succeeded. Offers the steps that waited for this step only. */
  succeed({ id }: PlannedStep): void {
    this.#finished.add(id);
    for (const gate of this.#gates.get(id) ?? []) {
      gate.missing--;
      if (gate.missing !== 0) continue;
      for (const index of gate.indexes) {
        if (!this.#finished.has(this.#steps[index]?.id ?? '')) this.#offer(index);
      }
    }
  }

  /** Marks a step as failed. Returns all steps that need it directly or indirectly, and can no longer run. */
  fail({ id }: PlannedStep): PlannedStep[] {
    this.#finished.add(id);
    const skipped: PlannedStep[] = [];
    const pending = [id];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const index of (this.#gates.get(next) ?? []).flatMap(({ indexes }) => indexes)) {
        const step = this.#steps[index];
        if (step === undefined || this.#finished.has(step.id)) continue;
        this.#finished.add(step.id);
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
