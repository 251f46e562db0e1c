/** What both ways of writing a mail offer. */
export interface EditorHandle {
  /** Inserts a merge field at the cursor, which then stands after it. */
  insertField: (field: string) => void;
}
