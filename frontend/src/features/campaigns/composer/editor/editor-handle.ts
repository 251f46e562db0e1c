/** What both ways of writing a mail offer. */
export interface EditorHandle {
  /** Puts a merge field where the cursor is. */
  insertField: (field: string, fallback: string) => void;
}
