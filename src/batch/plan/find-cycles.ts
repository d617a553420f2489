/** Targets of each node, as indexes. */
type Graph = readonly (readonly number[])[];

/**
 * Finds the shortest cycle through the first node of each group of nodes that reach each other. Uses no recursion: a
 * chain of steps may be longer than the call stack.
 */
export function findCycles(graph: Graph): number[][] {
  return findGroups(graph)
    .filter((group) => group.length > 1)
    .map((group) =>
      shortestCycle(
        graph,
        new Set(group),
        group.reduce((a, b) => Math.min(a, b)),
      ),
    )
    .sort(([a = 0], [b = 0]) => a - b);
}

/** Finds strongly connected components with Tarjan's algorithm. `walk` replaces the call stack. */
function findGroups(graph: Graph): number[][] {
  const groups: number[][] = [];
  const order = new Map<number, number>();
  const lowest: number[] = [];
  const open: number[] = [];
  const isOpen = new Set<number>();
  const enter = (node: number) => {
    lowest[node] = order.size;
    order.set(node, order.size);
    open.push(node);
    isOpen.add(node);
    return { node, next: 0 };
  };
  const lower = (node: number, value: number | undefined) => {
    lowest[node] = Math.min(lowest[node] ?? 0, value ?? 0);
  };
  for (const start of graph.keys()) {
    if (order.has(start)) continue;
    const walk = [enter(start)];
    for (let at = walk.at(-1); at !== undefined; at = walk.at(-1)) {
      const target = graph[at.node]?.[at.next++];
      if (target !== undefined) {
        if (!order.has(target)) walk.push(enter(target));
        else if (isOpen.has(target)) lower(at.node, order.get(target));
        continue;
      }
      walk.pop();
      const above = walk.at(-1);
      if (above !== undefined) lower(above.node, lowest[at.node]);
      if (lowest[at.node] !== order.get(at.node)) continue;
      const group = open.splice(open.lastIndexOf(at.node));
      for (const node of group) isOpen.delete(node);
      groups.push(group);
    }
  }
  return groups;
}

function shortestCycle(graph: Graph, group: ReadonlySet<number>, start: number): number[] {
  const reachedFrom = new Map<number, number>();
  const queue = [start];
  for (const node of queue) {
    for (const target of graph[node] ?? []) {
      if (target === start) return trace(reachedFrom, node, start);
      if (!group.has(target) || reachedFrom.has(target)) continue;
      reachedFrom.set(target, node);
      queue.push(target);
    }
  }
  return [start];
}

function trace(reachedFrom: ReadonlyMap<number, number>, end: number, start: number): number[] {
  const path: number[] = [];
  for (let node = end; node !== start; node = reachedFrom.get(node) ?? start) path.push(node);
  return [start, ...path.reverse()];
}
