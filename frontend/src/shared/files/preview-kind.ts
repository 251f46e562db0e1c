import type { Schema } from '../api/client';

type StoredFile = Schema<'FileDto'>;

/** What decides how a file is previewed. */
type PreviewedFile = Pick<StoredFile, 'viewable' | 'mimeType' | 'size'> & {
  readonly can: Pick<StoredFile['can'], 'view' | 'download'>;
};

export type PreviewKind = 'pages' | 'image' | 'video' | 'audio' | 'text' | 'empty' | 'none';

/** Spelled as the server spells them. */
function macroEnabledType(kind: string): string {
  return `application/vnd.ms-${kind}.macroenabled.12`;
}

/** Shown as pages rendered by the server, because browsers can't show these types or show them differently. */
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

/** Images that browsers show natively; rendered as pages only where they may not be downloaded. */
const imageTypes = ['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

/**
 * Whether the server renders pages of this type. For images and text, which browsers can show, only where download is
 * not allowed.
 */
const canRenderPages = (mimeType: string) =>
  renderedTypes.includes(mimeType) || imageTypes.includes(mimeType) || mimeType === 'text/plain';

/** How a file is previewed; `none` if it can't be. */
export function getPreviewKind({ viewable, can, mimeType, size }: PreviewedFile): PreviewKind {
  if (size === 0) return 'empty';
  if (!can.view) return 'none';
  if (renderedTypes.includes(mimeType) || (!can.download && canRenderPages(mimeType))) return 'pages';
  if (!viewable) return 'none';
  const [family] = mimeType.split('/');
  if (family === 'image' || family === 'video' || family === 'audio') return family;
  return mimeType === 'text/plain' ? 'text' : 'none';
}

/** How members read a file that they may not download; `none` if they can't. */
export function getReadMode({ mimeType }: Pick<StoredFile, 'mimeType'>): 'pages' | 'media' | 'none' {
  if (/^(audio|video)\//.test(mimeType)) return 'media';
  return canRenderPages(mimeType) ? 'pages' : 'none';
}

/** URL for showing the file inline, or streaming it where it may not be downloaded. */
export const viewUrl = ({ id, can }: Pick<StoredFile, 'id'> & Pick<PreviewedFile, 'can'>) =>
  `/api/files/${id}/${can.download ? 'view' : 'media'}`;

/** URL for downloading the file. */
export const downloadUrl = ({ id }: Pick<StoredFile, 'id'>) => `/api/files/${id}/download`;
