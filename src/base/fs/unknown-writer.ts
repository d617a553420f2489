/** The name in `ManifestFile.tools` for a change that no tool call is known to have made. */
export const UNKNOWN_WRITER = 'unknown';
