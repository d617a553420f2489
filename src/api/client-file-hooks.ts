/** A file that the agent wants to write through us. */
export interface ClientFileWrite {
  readonly sessionId: string;
  readonly absolutePath: string;
  /** Relative to the working directory of the step. */
  readonly path: string;
  readonly content: string;
}

/** Watches, and may refuse, what an agent reads and writes through us. */
export interface ClientFileHooks {
  /** False, or an exception, refuses the write; the agent is told. */
  readonly beforeWrite?: ((write: ClientFileWrite) => boolean | Promise<boolean>) | undefined;
  /** False, or an exception, refuses the reading. */
  readonly beforeRead?:
    | ((read: Omit<ClientFileWrite, 'content'>) => boolean | Promise<boolean>)
    | undefined;
}
