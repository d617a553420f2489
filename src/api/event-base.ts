/** Fields that every event may have. */
export interface EventBase {
  /** Id of the `generate()` or `stream()` that the event belongs to. Each event of `stream()` has it. */
  readonly generationId?: string | undefined;
  /** Time of the event as the agent reports it, ISO 8601. Absent if the agent sends none. */
  readonly timestamp?: string | undefined;
  /** Message as it came over the wire, with unknown fields. Absent for events that this package makes. */
  readonly raw?: unknown;
}
