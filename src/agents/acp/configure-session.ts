import type { ResolvedConfig } from '../../config/resolve-config.js';
import type { AgentProfile } from './profile.js';
import type { SessionHandle } from './session-handle.js';
import type { Choice } from './session-options.js';

/**
 * Sets the mode and the model, where the agent lets them be chosen and has not chosen them already. A mode that it
 * does not have is no failure, because permissions are decided by rules in any case. Comes back with what to tell.
 */
export async function configureSession(
  session: SessionHandle,
  profile: AgentProfile,
  { approvalMode, model }: Pick<ResolvedConfig, 'approvalMode' | 'model'>,
): Promise<string[]> {
  const { mode, model: models } = session.options;
  const warnings: string[] = [];
  const modeId = profile.findMode(approvalMode, mode?.offered.map(({ id }) => id) ?? []);
  if (mode !== undefined && modeId !== undefined && modeId !== mode.current) {
    const isSet = await session.tryCall(...callToChoose('mode', modeId, mode));
    if (!isSet) warnings.push(`${profile.name} refuses the mode ${modeId}.`);
  }
  if (model === undefined) return warnings;
  if (models !== undefined) {
    const modelId = profile.findModel(model, models.offered);
    if (modelId !== models.current) await session.call(...callToChoose('model', modelId, models));
  } else {
    warnings.push(`${profile.name} does not let its model be chosen: ${model} was not set.`);
  }
  return warnings;
}

function callToChoose(
  what: 'mode' | 'model',
  id: string,
  { configId }: Choice,
): [method: string, params: object] {
  if (configId === undefined) return [`session/set_${what}`, { [`${what}Id`]: id }];
  return ['session/set_config_option', { configId, value: id }];
}
