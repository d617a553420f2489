/** A mode or a model that an agent offers. */
export interface OfferedChoice {
  /** Id on the wire. */
  readonly id: string;
  /** Name for display. */
  readonly name?: string | undefined;
}

/** What an agent tells of itself in the handshake of the Agent Client Protocol. */
export interface AgentIdentity {
  /** Version of the protocol that the agent speaks. */
  readonly protocolVersion?: number | undefined;
  /** Name of the agent. */
  readonly name?: string | undefined;
  /** Version of the agent. */
  readonly version?: string | undefined;
  /** Optional methods and contents that the agent supports, as they came over the wire. */
  readonly capabilities: Readonly<Record<string, unknown>>;
}
