/** Returns the snake_case spelling of a camelCase key: `working_dir` for `workingDir`. */
export function toSnakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
