import { type Child, h } from './element.js';

/** Renders a message. Text between backticks becomes code. */
export function prose(text: string): readonly Child[] {
  return text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? h('code', {}, part) : part));
}
