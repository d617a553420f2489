/** Returns the usual id in the plan of a step: a step of a matrix has its values in brackets at the end of its id. */
export function defaultPlanId(id: string): string {
  const bracket = id.endsWith(']') ? id.indexOf('[') : -1;
  return bracket === -1 ? id : id.slice(0, bracket);
}
