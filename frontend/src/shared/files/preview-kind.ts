import type { Schema } from '../api/client';

type StoredFile = Schema<'FileDto'>;

export type PreviewKind = 'pages' | 'image' | 'video' | 'audio' | 'text' | 'empty' | 'none';

/** Of which the server draws pages that everybody can see: browsers show none of them, or not alike. */
const drawn = ['application/pdf', 'image/tiff', 'image/heic', 'image/heif', 'image/svg+xml'];

/** How a file is shown in the page; `none` when it cannot be. A document is shown by pages that the server draws. */
export function previewKind({ viewable, can, mimeType, size }: StoredFile): PreviewKind {
  if (size === 0 && (can.view || can.download)) return 'empty';
  // Pages are for whoever may read the file, also where its own bytes are not.
  if (drawn.includes(mimeType)) return 'pages';
  if (!viewable || !can.view) return 'none';
  const [family] = mimeType.split('/');
  if (family === 'image' || family === 'video' || family === 'audio') return family;
  return mimeType === 'text/plain' ? 'text' : 'none';
}

/** Address at which a browser shows the file. */
export const viewAddress = ({ id }: Pick<StoredFile, 'id'>) => `/api/files/${id}/view`;

/** Address at which it is kept. */
export const downloadAddress = ({ id }: Pick<StoredFile, 'id'>) => `/api/files/${id}/download`;
