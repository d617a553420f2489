/** Logger that this package writes to: the part of pino's interface that it uses. */
export interface Logger {
  /** Logs details for debugging. */
  debug(fields: object, message: string): void;
  /** Logs normal progress, such as the start and the end of a step. */
  info(fields: object, message: string): void;
  /** Logs problems that do not stop a step, and failed steps. */
  warn(fields: object, message: string): void;
  /** Logs errors. */
  error(fields: object, message: string): void;
}
