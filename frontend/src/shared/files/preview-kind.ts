import type { Schema } from '../api/client';

type StoredFile = Schema<'FileDto'>;

export type PreviewKind = 'pages' | 'image' | 'video' | 'audio' | 'text' | 'empty' | 'none';

/** Shown by pages that the server draws: browsers show none of them, or not alike. */
const drawn = [
  ...['application/pdf', 'image/tiff', 'image/heic', 'image/heif', 'image/svg+xml'],
  ...['application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint', 'application/rtf', 'text/rtf'],
  ...['wordprocessingml.document', 'spreadsheetml.sheet', 'presentationml.presentation'].map(
    (kind) => `application/vnd.openxmlformats-officedocument.${kind}`,
  ),
  ...['text', 'spreadsheet', 'presentation'].map((kind) => `application/vnd.oasis.opendocument.${kind}`),
];

/** Pictures that browsers show as they are; by pages only where they may not be downloaded. */
const pictures = ['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

/** Whether pages of a file are drawn; of pictures and texts, which browsers show, only where their bytes are not to leave. */
const hasPages = (mimeType: string) =>
  drawn.includes(mimeType) || pictures.includes(mimeType) || mimeType === 'text/plain';

/** How a file is shown in the page; `none` when it cannot be. */
export function previewKind({ viewable, can, mimeType, size }: StoredFile): PreviewKind {
  if (size === 0) return 'empty';
  if (!can.view) return 'none';
  if (drawn.includes(mimeType) || (!can.download && hasPages(mimeType))) return 'pages';
  if (!viewable) return 'none';
  const [family] = mimeType.split('/');
  if (family === 'image' || family === 'video' || family === 'audio') return family;
  return mimeType === 'text/plain' ? 'text' : 'none';
}

/** How members read a file that they may not download; `none` when they do not. */
export function readApart({ mimeType }: Pick<StoredFile, 'mimeType'>): 'pages' | 'media' | 'none' {
  if (/^(audio|video)\//.test(mimeType)) return 'media';
  return hasPages(mimeType) ? 'pages' : 'none';
}

/** Address at which a browser shows the file, or plays it in pieces where it may not be downloaded. */
export const viewAddress = ({ id, can }: Pick<StoredFile, 'id' | 'can'>) =>
  `/api/files/${id}/${can.download ? 'view' : 'media'}`;

/** Address at which it is kept. */
export const downloadAddress = ({ id }: Pick<StoredFile, 'id'>) => `/api/files/${id}/download`;
