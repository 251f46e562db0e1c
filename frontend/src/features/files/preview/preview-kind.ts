import type { StoredFile } from '../entries';

export type PreviewKind = 'image' | 'video' | 'audio' | 'pdf' | 'text' | 'empty' | 'none';

/** How a file is shown in the page; `none` when it cannot be. */
export function previewKind({ viewable, can, mimeType, size }: StoredFile): PreviewKind {
  if (size === 0 && (can.view || can.download)) return 'empty';
  if (!viewable || !can.view) return 'none';
  const [family] = mimeType.split('/');
  if (family === 'image' || family === 'video' || family === 'audio') return family;
  if (mimeType === 'text/plain') return 'text';
  // Some phones have no viewer for PDF inside a page.
  if (mimeType === 'application/pdf' && navigator.pdfViewerEnabled !== false) return 'pdf';
  return 'none';
}

/** Address at which a browser shows the file. */
export const viewAddress = ({ id }: StoredFile) => `/api/files/${id}/view`;

/** Address at which it is kept. */
export const downloadAddress = ({ id }: StoredFile) => `/api/files/${id}/download`;
