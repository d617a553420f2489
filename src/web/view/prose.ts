import { type Child, h } from './element.js';

/** A message for people: what stands between backticks is code. */
export function prose(text: string): readonly Child[] {
  return text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? h('code', {}, part) : part));
}
