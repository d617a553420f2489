/** View that fills the page until another one replaces it. */
export interface View {
  readonly element: HTMLElement;
  /** Called once the element is in the page. */
  attach?(): void;
  dispose?(): void;
  /** Focuses the row of a step or file. False if the view has no such row. */
  focusEntry?(key: string): boolean;
}
