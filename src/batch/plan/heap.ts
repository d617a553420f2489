/** Heap of numbers: `pop` removes and returns the smallest. */
export interface Heap {
  push(value: number): void;
  pop(): number | undefined;
}

export function createHeap(): Heap {
  const values: number[] = [];
  const at = (index: number): number => values[index] ?? Number.POSITIVE_INFINITY;
  const swap = (a: number, b: number): void => {
    [values[a], values[b]] = [at(b), at(a)];
  };
  return {
    push: (value) => {
      values.push(value);
      for (let index = values.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1;
        if (at(parent) <= at(index)) break;
        swap(parent, index);
        index = parent;
      }
    },
    pop: () => {
      const [smallest] = values;
      const last = values.pop();
      if (values.length > 0 && last !== undefined) values[0] = last;
      for (let index = 0; ; ) {
        const left = 2 * index + 1;
        const child = at(left + 1) < at(left) ? left + 1 : left;
        if (at(index) <= at(child)) break;
        swap(index, child);
        index = child;
      }
      return smallest;
    },
  };
}
