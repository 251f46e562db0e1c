/** Of which pages are drawn. */
export const DOCUMENT_TYPE = 'application/pdf';

/** True for files of which pages are tried. */
export function isDocument({ mimeType, size }: { readonly mimeType: string; readonly size: number }): boolean {
  return mimeType === DOCUMENT_TYPE && size > 0;
}
