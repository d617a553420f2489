/** A text file that the agent writes through this package. */
export interface ClientFileWrite {
  /** Id of the agent's session. */
  readonly sessionId: string;
  /** Absolute path of the file. */
  readonly absolutePath: string;
  /** Path relative to the working directory of the step, with forward slashes. */
  readonly path: string;
  /** New content of the file. */
  readonly content: string;
}

/** Hooks that see, and may refuse, the files that an agent reads and writes through this package. */
export interface ClientFileHooks {
  /**
   * Called before each write. Returning `false` or throwing refuses the write, and the agent gets an error.
   *
   * @defaultValue every write in the workspace is allowed
   */
  readonly beforeWrite?: ((write: ClientFileWrite) => boolean | Promise<boolean>) | undefined;
  /**
   * Called before each read. Returning `false` or throwing refuses the read, and the agent gets an error.
   *
   * @defaultValue every read in the workspace is allowed
   */
  readonly beforeRead?:
    | ((read: Omit<ClientFileWrite, 'content'>) => boolean | Promise<boolean>)
    | undefined;
}
