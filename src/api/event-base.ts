/** Kind of a text: part of the answer (`text`), a thought of the model (`thinking`), or a plan (`plan`). */
export type TextKind = 'text' | 'thinking' | 'plan';

/** Fields that every event may have. */
export interface EventBase {
  /** Id of the `generate()` or `stream()` that the event belongs to. Each event of `stream()` has it. */
  readonly generationId?: string | undefined;
  /**
   * Time of the event, ISO 8601: as the agent reports it, else the time at which this package received or made the event.
   * Each event of `stream()` has it.
   */
  readonly timestamp?: string | undefined;
  /**
   * Message as it came over the wire, with unknown fields: headless a `StreamRecord`, over ACP an update. Absent for events that this package makes, such as `user-input`
   * over ACP.
   */
  readonly raw?: unknown;
}
