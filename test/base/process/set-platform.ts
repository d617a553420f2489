import { onTestFinished } from 'vitest';

/** Makes this process look like one on another system, until the end of the test. */
export function setPlatform(value: NodeJS.Platform): void {
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value });
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }));
}
