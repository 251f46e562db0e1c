/** The contents of a file. What was generated from other contents is ignored. */
export interface FileContents {
  readonly fileId: number;
  /** Key of the object with the bytes. */
  readonly objectKey: string;
}
