/** One thing that was looked at. */
export interface Finding {
  readonly check: string;
  /** `problem`: a run would fail. `note`: it would not, but it should be known. */
  readonly status: 'ok' | 'note' | 'problem';
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string | undefined;
}

export function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message };
}

export function note(check: string, message: string, fix?: string): Finding {
  return { check, status: 'note', message, fix };
}

export function problem(check: string, message: string, fix: string): Finding {
  return { check, status: 'problem', message, fix };
}
