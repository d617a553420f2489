/** Name in `ManifestFile.tools` for a change that no known tool call made. */
export const UNKNOWN_WRITER = 'unknown';
