/** Seconds that a call waits for its job by default. Most clients give up after 60. */
export const DEFAULT_WAIT_SECONDS = 45;
/** Longest wait of a call: the answer has to be on its way before the client gives up. */
export const LONGEST_WAIT_SECONDS = 55;
/** Jobs that run at the same time by default. */
export const DEFAULT_MAX_JOBS = 4;
/** Jobs that may wait for others. */
export const MOST_WAITING_JOBS = 100;
/** Ended jobs that are remembered, and the characters of all of them together. */
export const MOST_ENDED_JOBS = 50;
export const MOST_ENDED_CHARACTERS = 32_000_000;

/** Longest prompt, in characters, and longest message on the wire. A longer message ends the connection. */
export const LONGEST_PROMPT = 1_000_000;
export const LONGEST_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Limits of a result. Clients cut or refuse results of more than 25,000 tokens, so that all parts together stay below. What
 * is cut off is in the resources of the job.
 */
export const LONGEST_TEXT = 20_000;
export const LONGEST_DIFF = 4_000;
export const MOST_DIFF_CHARACTERS = 16_000;
export const MOST_FILES = 100;
export const MOST_REMARKS = 20;
export const LONGEST_REMARK = 500;
export const LONGEST_DATA = 10_000;
/** Most steps of a batch in a result. */
export const MOST_STEPS = 50;

/** Longest text of a resource, in characters. */
export const LONGEST_RESOURCE = 8_000_000;
