import type { PlannedStep } from '../../api/batch-plan.js';
import { createHeap } from './heap.js';

/** List of needs that several steps may share, with the number of needed steps that are not over yet. */
interface Gate {
  missing: number;
  /** True if one of the needs has failed or was skipped: the steps can no longer run. */
  isClosed: boolean;
  /** Needs that may fail or be skipped. */
  readonly tolerates: ReadonlySet<string>;
  readonly indexes: number[];
}

const NONE: readonly string[] = [];
const TOLERATES_NONE: ReadonlySet<string> = new Set();

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
    const known = new Map<readonly string[], Map<readonly string[], Gate>>();
    for (const [index, { needs, tolerates = NONE }] of steps.entries()) {
      const gates = known.get(needs) ?? new Map<readonly string[], Gate>();
      known.set(needs, gates);
      const gate = gates.get(tolerates) ?? this.#createGate(needs, tolerates);
      gates.set(tolerates, gate);
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

  /**
   * Marks a step as over, so that the steps that need it may run: it has succeeded, or failed with `continueOnError`.
   * Offers the steps that waited for this step only.
   */
  succeed({ id }: PlannedStep): void {
    this.#finished.add(id);
    for (const gate of this.#gates.get(id) ?? []) this.#openBy(gate);
  }

  /**
   * Marks a step as failed or skipped. Returns all steps that need it directly or indirectly and can no longer run.
   * Offers the steps that tolerate it and waited for this step only.
   */
  fail({ id }: PlannedStep): PlannedStep[] {
    this.#finished.add(id);
    const skipped: PlannedStep[] = [];
    const pending = [id];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const gate of this.#gates.get(next) ?? []) {
        if (gate.tolerates.has(next)) this.#openBy(gate);
        else if (!gate.isClosed) {
          gate.isClosed = true;
          for (const index of gate.indexes) {
            const step = this.#steps[index];
            if (step === undefined || this.#finished.has(step.id)) continue;
            this.#finished.add(step.id);
            skipped.push(step);
            pending.push(step.id);
          }
        }
      }
    }
    return skipped.sort((a, b) => a.index - b.index);
  }

  /** Counts a need that is over. Offers the steps of the gate if that was the last one. */
  #openBy(gate: Gate): void {
    gate.missing--;
    if (gate.missing !== 0 || gate.isClosed) return;
    for (const index of gate.indexes) {
      if (!this.#finished.has(this.#steps[index]?.id ?? '')) this.#offer(index);
    }
  }

  #createGate(needs: readonly string[], tolerates: readonly string[]): Gate {
    const open = [...new Set(needs)].filter((id) => this.#indexes.has(id));
    const gate: Gate = {
      missing: open.length,
      isClosed: false,
      tolerates: tolerates === NONE ? TOLERATES_NONE : new Set(tolerates),
      indexes: [],
    };
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
