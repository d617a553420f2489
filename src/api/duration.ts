/** A time: a number of seconds, or a text with units as `500ms`, `90s`, `5m` or `1h30m`. */
export type Duration = number | string;
