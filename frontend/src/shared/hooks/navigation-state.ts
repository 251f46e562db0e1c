/** State of a navigation, read by the app's root. */
export interface NavigationState {
  /** The new page opens a dialog over the same content, which takes the focus itself. */
  opensDialog?: boolean;
}
