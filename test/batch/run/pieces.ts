import type { Isolation, PlannedStep } from '../../../src/api/batch-plan.js';
import type { ManifestFile } from '../../../src/api/manifest.js';

/** Creates a step as an expanded plan contains it. */
export function plannedStep(
  index: number,
  needs: readonly number[] = [],
  isolation: Isolation = 'shared',
): PlannedStep {
  return {
    id: `s${index}`,
    planId: `s${index}`,
    index,
    prompt: `prompt ${index}`,
    needs: needs.map((need) => `s${need}`),
    retries: 0,
    repair: 0,
    isolation,
    inputs: [],
    config: { workingDir: '/w' },
  };
}

export function manifestFile(path: string, more: Partial<ManifestFile> = {}): ManifestFile {
  return {
    path,
    absolutePath: `/w/${path}`,
    kind: 'created',
    tools: ['write_file'],
    toolIds: [],
    bytes: 1,
    sha256After: 'after',
    confirmed: true,
    outsideWorkspace: false,
    ...more,
  };
}
