import type { StepWarning } from '../../api/result.js';
import type { Obstacle, WorkspaceChange } from './workspace-change.js';

const PROBLEMS: Readonly<Record<Obstacle, string>> = {
  name: 'Files or folders that were not compared, because their names are not UTF-8',
  access: 'Folders that were not compared, because they cannot be read',
};

/** What the comparison could not look at, one warning for each reason. */
export function describeObstacles(changes: readonly WorkspaceChange[]): StepWarning[] {
  const obstacles: readonly Obstacle[] = ['name', 'access'];
  return obstacles.flatMap((obstacle) => {
    const count = changes.filter((change) => change.obstacle === obstacle).length;
    if (count === 0) return [];
    const message = `${PROBLEMS[obstacle]}: ${count}.`;
    return [{ code: 'WORKSPACE_NOT_COMPARED', message, count }];
  });
}
