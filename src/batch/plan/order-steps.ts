import type { PlannedStep } from '../../api/batch-plan.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { createHeap } from './heap.js';

/** A list of needs that steps share. The steps in `indexes` are ready when `missing` is 0. */
interface Gate {
  missing: number;
  readonly indexes: number[];
}

/**
 * Returns the steps in their order, but each after the steps it needs. Needs that are not among the steps count as met.
 * Throws INVALID_CONFIG if steps need each other.
 */
export function orderSteps(steps: readonly PlannedStep[]): readonly PlannedStep[] {
  const ids = new Set(steps.map(({ id }) => id));
  const gates = new Map<readonly string[], Gate>();
  const waiting = new Map<string, Gate[]>();
  const ready = createHeap();
  for (const [index, { needs }] of steps.entries()) {
    const gate = gates.get(needs) ?? createGate(needs, ids, waiting);
    gates.set(needs, gate);
    if (gate.missing === 0) ready.push(index);
    else gate.indexes.push(index);
  }
  const ordered: PlannedStep[] = [];
  for (let index = ready.pop(); index !== undefined; index = ready.pop()) {
    const step = steps[index];
    if (step === undefined) continue;
    ordered.push(step);
    for (const gate of waiting.get(step.id) ?? []) {
      gate.missing -= 1;
      if (gate.missing === 0) for (const open of gate.indexes) ready.push(open);
    }
  }
  if (ordered.length < steps.length) throw createCycleError(steps, ordered);
  return ordered;
}

function createGate(
  needs: readonly string[],
  ids: ReadonlySet<string>,
  waiting: Map<string, Gate[]>,
): Gate {
  const known = new Set(needs.filter((id) => ids.has(id)));
  const gate = { missing: known.size, indexes: [] };
  for (const id of known) {
    const gates = waiting.get(id);
    if (gates === undefined) waiting.set(id, [gate]);
    else gates.push(gate);
  }
  return gate;
}

function createCycleError(
  steps: readonly PlannedStep[],
  ordered: readonly PlannedStep[],
): ProviderError {
  const done = new Set(ordered);
  const left = steps.filter((step) => !done.has(step)).map(({ id }) => id);
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `${left.length} steps need each other, among them ${left[0]}`,
    hint: 'Remove one of the `needs` of these steps.',
  });
}
