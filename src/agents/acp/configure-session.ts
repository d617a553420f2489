import type { ResolvedConfig } from '../../config/resolve-config.js';
import type { AgentProfile } from './profile.js';
import type { SessionHandle } from './session-handle.js';
import type { Choice } from './session-options.js';

/**
 * Sets the mode and the model of a session if the agent offers a choice and the current values differ. Returns
 * warnings. A missing mode is not an error, because rules decide about permissions in any case.
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
    if (!isSet) warnings.push(`${profile.name} refused the session mode ${modeId}.`);
  }
  if (model === undefined) return warnings;
  if (models !== undefined) {
    const modelId = profile.findModel(model, models.offered);
    if (modelId !== models.current) await session.call(...callToChoose('model', modelId, models));
  } else {
    warnings.push(`${profile.name} offers no choice of models: model ${model} was not set.`);
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
