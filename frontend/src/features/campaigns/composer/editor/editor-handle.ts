/** The interface of both editors, rich text and HTML. */
export interface EditorHandle {
  /** Inserts a merge field at the cursor and places the cursor after it. */
  insertField: (field: string) => void;
}
