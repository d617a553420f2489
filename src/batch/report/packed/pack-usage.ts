import type { TokenCounts, Usage } from '../../../api/result.js';
import { sumTokenCounts } from '../../../base/usage/token-counts.js';

/** Tokens of one model. */
type PackedModel = readonly [
  model: string,
  total: number,
  input: number,
  output: number,
  cached: number,
  thoughts?: number,
  tool?: number,
];

/** Usage whose counts are the sum of its models: the number of tool calls, then the models. */
export type PackedUsage = readonly [toolCalls: number, ...models: PackedModel[]];

/** Packs a usage. Returns the usage itself if its counts are not the sum of its models. */
export function packUsage(usage: Usage | undefined): PackedUsage | Usage | undefined {
  if (usage === undefined) return undefined;
  const sum = sumTokenCounts(Object.values(usage.models));
  if (!isSame(sum, usage)) return usage;
  const models = Object.entries(usage.models).map(
    ([model, { total, input, output, cached, thoughts, tool }]): PackedModel => {
      // Most models of a batch neither think nor use tools of the API.
      const counts = [model, total, input, output, cached] as const;
      if (tool > 0) return [...counts, thoughts, tool];
      return thoughts > 0 ? [...counts, thoughts] : counts;
    },
  );
  return [usage.toolCalls, ...models];
}

/** Restores a usage. Runs in the browser. */
export function unpackUsage(packed: PackedUsage | Usage | undefined): Usage | undefined {
  if (packed === undefined || !isPacked(packed)) return packed;
  const [toolCalls, ...list] = packed;
  const models: Record<string, TokenCounts> = {};
  for (const [model, total, input, output, cached, thoughts = 0, tool = 0] of list) {
    models[model] = { total, input, output, cached, thoughts, tool };
  }
  const only = list.length === 1 && list[0] !== undefined ? models[list[0][0]] : undefined;
  return { ...(only ?? sumTokenCounts(Object.values(models))), models, toolCalls };
}

function isPacked(packed: PackedUsage | Usage): packed is PackedUsage {
  return Array.isArray(packed);
}

function isSame(one: TokenCounts, other: TokenCounts): boolean {
  return (
    one.total === other.total &&
    one.input === other.input &&
    one.output === other.output &&
    one.cached === other.cached &&
    one.thoughts === other.thoughts &&
    one.tool === other.tool
  );
}
