import type { JSONObject } from '@ai-sdk/provider';

/** Key of this package in `providerOptions` and `providerMetadata`, and the name of its models. */
export const NAMESPACE = 'gemini-cli';

/** Returns a copy of data of this package as JSON. Fields that JSON cannot express, such as functions, are left out. */
export function toJsonObject(data: object): JSONObject {
  return JSON.parse(JSON.stringify(data));
}
