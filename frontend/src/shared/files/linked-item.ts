/** A file or folder to which links lead. */
export interface LinkedItem {
  readonly kind: 'file' | 'folder';
  readonly id: number;
  readonly name: string;
  /** Whether it is a folder that requests files. */
  readonly isRequesting?: boolean;
}
