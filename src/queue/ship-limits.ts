/** Limits of a workspace that travels to another machine. A larger workspace fails with INVALID_INPUT. */
export interface ShipLimits {
  /**
   * Most files in the workspace, without ignored ones.
   *
   * @defaultValue `100_000`
   */
  readonly maxFiles?: number | undefined;
  /**
   * Largest file in bytes.
   *
   * @defaultValue 64 MB
   */
  readonly maxFileBytes?: number | undefined;
  /**
   * Most bytes that are uploaded for one step, compressed. An unchanged base is uploaded once.
   *
   * @defaultValue 256 MB
   */
  readonly maxUploadBytes?: number | undefined;
  /**
   * Most bytes of the changes that come back, compressed.
   *
   * @defaultValue 64 MB
   */
  readonly maxChangesBytes?: number | undefined;
}
