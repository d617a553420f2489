const ID = /"id"\s*:\s*"((?:[^"\\]|\\.)*)"/;

/** Stands for a line that is not JSON, so that the other lines are still checked. Keeps the id: other steps may need it. */
export class UnreadableStep {
  readonly id: string;

  constructor(line: string) {
    this.id = ID.exec(line)?.[1] ?? '';
  }
}
