import { z } from 'zod';
import type { OfferedChoice } from '../../api/agent-identity.js';
import { isObject } from '../../base/json/is-object.js';
import { toList } from './acp-wire.js';

export interface Choice {
  readonly offered: readonly OfferedChoice[];
  readonly current: string | undefined;
  /** Id of the config option to set. Undefined if the choice has its own method. */
  readonly configId?: string | undefined;
}

/** Modes and models that a session offers in the answer to `session/new` or `session/load`. */
export interface SessionOptions {
  /** Undefined if the agent offers no choice of modes. */
  readonly mode: Choice | undefined;
  readonly model: Choice | undefined;
}

const text = z.string().nullish().catch(undefined);
const modes = z.looseObject({
  availableModes: z.array(z.looseObject({ id: z.string(), name: text })),
  currentModeId: text,
});
const models = z.looseObject({
  availableModels: z.array(z.looseObject({ modelId: z.string(), name: text })),
  currentModelId: text,
});
const configOption = z.looseObject({
  id: z.string(),
  category: text,
  currentValue: text,
  options: z.array(z.unknown()),
});
const configValue = z.looseObject({ value: z.string(), name: text });

/**
 * Reads modes and models. Agents offer them in `modes` and `models`, as config options, or both. The protocol wants clients
 * to use the config options then: the other two are their older form.
 */
export function readSessionOptions(response: unknown): SessionOptions {
  const answer = isObject(response) ? response : {};
  const options = toList(answer['configOptions']);
  return {
    mode: readOption(options, 'mode') ?? readModes(answer['modes']),
    model: readOption(options, 'model') ?? readModels(answer['models']),
  };
}

function readModes(value: unknown): Choice | undefined {
  const given = modes.safeParse(value).data;
  return (
    given && {
      offered: given.availableModes.map(({ id, name }) => ({ id, name: name ?? undefined })),
      current: given.currentModeId ?? undefined,
    }
  );
}

function readModels(value: unknown): Choice | undefined {
  const given = models.safeParse(value).data;
  return (
    given && {
      offered: given.availableModels.map(({ modelId, name }) => {
        return { id: modelId, name: name ?? undefined };
      }),
      current: given.currentModelId ?? undefined,
    }
  );
}

function readOption(options: readonly unknown[], category: 'mode' | 'model'): Choice | undefined {
  const known = options.flatMap((option) => configOption.safeParse(option).data ?? []);
  const option =
    known.find((candidate) => candidate.category === category) ??
    known.find(({ id }) => id === category);
  return (
    option && {
      offered: option.options.flatMap(readValues),
      current: option.currentValue ?? undefined,
      configId: option.id,
    }
  );
}

/** Reads a value of a config option, or the values of a group. */
function readValues(value: unknown): OfferedChoice[] {
  const given = configValue.safeParse(value).data;
  if (given !== undefined) return [{ id: given.value, name: given.name ?? undefined }];
  return isObject(value) ? toList(value['options']).flatMap(readValues) : [];
}
