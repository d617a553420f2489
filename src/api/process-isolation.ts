/**
 * Means of the system that hold the processes below an agent together, so that all of them end with the step: `auto`
 * takes the first of `cgroup` and `subreaper` that works here; `namespace` is the strongest one; `off` takes none.
 */
export type ProcessIsolation = 'auto' | 'cgroup' | 'subreaper' | 'namespace' | 'off';
