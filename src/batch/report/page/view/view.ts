/** What fills the page for a while. */
export interface View {
  readonly element: HTMLElement;
  /** Once it is in the page. */
  attach?(): void;
  dispose?(): void;
  /** The focus goes to the entry of a step or a file that was open. False where there is none. */
  focusEntry?(key: string): boolean;
}
