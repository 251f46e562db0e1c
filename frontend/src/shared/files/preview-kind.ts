import type { Schema } from '../api/client';

type StoredFile = Schema<'FileDto'>;

export type PreviewKind = 'pages' | 'image' | 'video' | 'audio' | 'text' | 'empty' | 'none';

/** As the server spells them. */
function macroEnabledType(kind: string): string {
  return `application/vnd.ms-${kind}.macroenabled.12`;
}

/** Shown by pages that the server draws: browsers show none of them, or not alike. */
const renderedTypes = [
  ...['application/pdf', 'image/tiff', 'image/heic', 'image/heif', 'image/svg+xml'],
  ...['application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint', 'application/rtf', 'text/rtf'],
  ...[
    ...['wordprocessingml.document', 'wordprocessingml.template', 'spreadsheetml.sheet', 'spreadsheetml.template'],
    ...['presentationml.presentation', 'presentationml.slideshow', 'presentationml.template'],
  ].map((kind) => `application/vnd.openxmlformats-officedocument.${kind}`),
  ...['word.document', 'word.template', 'excel.sheet', 'excel.template'].map(macroEnabledType),
  ...['powerpoint.presentation', 'powerpoint.slideshow', 'powerpoint.template'].map(macroEnabledType),
  ...['text', 'spreadsheet', 'presentation', 'graphics'].map((kind) => `application/vnd.oasis.opendocument.${kind}`),
];

/** Pictures that browsers show as they are; by pages only where they may not be downloaded. */
const imageTypes = ['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

/** Whether pages of a file are drawn; of pictures and texts, which browsers show, only where their bytes are not to leave. */
const canRenderPages = (mimeType: string) =>
  renderedTypes.includes(mimeType) || imageTypes.includes(mimeType) || mimeType === 'text/plain';

/** How a file is shown in the page; `none` when it cannot be. */
export function getPreviewKind({ viewable, can, mimeType, size }: StoredFile): PreviewKind {
  if (size === 0) return 'empty';
  if (!can.view) return 'none';
  if (renderedTypes.includes(mimeType) || (!can.download && canRenderPages(mimeType))) return 'pages';
  if (!viewable) return 'none';
  const [family] = mimeType.split('/');
  if (family === 'image' || family === 'video' || family === 'audio') return family;
  return mimeType === 'text/plain' ? 'text' : 'none';
}

/** How members read a file that they may not download; `none` when they do not. */
export function getReadMode({ mimeType }: Pick<StoredFile, 'mimeType'>): 'pages' | 'media' | 'none' {
  if (/^(audio|video)\//.test(mimeType)) return 'media';
  return canRenderPages(mimeType) ? 'pages' : 'none';
}

/** Address at which a browser shows the file, or plays it in pieces where it may not be downloaded. */
export const viewUrl = ({ id, can }: Pick<StoredFile, 'id' | 'can'>) =>
  `/api/files/${id}/${can.download ? 'view' : 'media'}`;

/** Address at which it is kept. */
export const downloadUrl = ({ id }: Pick<StoredFile, 'id'>) => `/api/files/${id}/download`;
