import { freezeList } from '../../../platform/constants/freeze-list.js';
import type { RenderFormat } from '../../../platform/rendering/rendering-protocol.js';
import type { OfficeContainer } from '../../../platform/rendering/office/office.service.js';
import { MIB } from '../../../platform/text/byte-units.js';

/** Images that browsers can show. Their pages are rendered on request only. */
export const IMAGE_TYPES: readonly string[] = freezeList([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
]);

/** Maximum size of an image with a thumbnail in bytes; it is held in memory during the conversion. */
export const MAX_IMAGE_BYTES = 32 * MIB;

/** Formats whose pages and thumbnail are rendered after the upload. */
const RENDERED_FORMATS: Readonly<Record<string, RenderFormat>> = {
  'application/pdf': 'pdf',
  'image/tiff': 'tiff',
  'image/heic': 'heic',
  'image/heif': 'heic',
  'image/svg+xml': 'svg',
};

/** How a file is described to LibreOffice. All formats except the legacy ones are archives. */
export interface OfficeKind {
  readonly extension: string;
  readonly container: OfficeContainer;
}
const archiveKind = (extension: string): OfficeKind => ({ extension, container: 'archive' });
const legacyKind = (extension: string): OfficeKind => ({ extension, container: 'old' });
const OFFICE_KINDS: Readonly<Record<string, OfficeKind>> = {
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': archiveKind('docx'),
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': archiveKind('xlsx'),
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': archiveKind('pptx'),
  'application/vnd.oasis.opendocument.text': archiveKind('odt'),
  'application/vnd.oasis.opendocument.spreadsheet': archiveKind('ods'),
  'application/vnd.oasis.opendocument.presentation': archiveKind('odp'),
  'application/vnd.oasis.opendocument.graphics': archiveKind('odg'),
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template': archiveKind('dotx'),
  'application/vnd.openxmlformats-officedocument.spreadsheetml.template': archiveKind('xltx'),
  'application/vnd.openxmlformats-officedocument.presentationml.template': archiveKind('potx'),
  'application/vnd.openxmlformats-officedocument.presentationml.slideshow': archiveKind('ppsx'),
  // Lower case, as the type detection library reports them. Macros are never run.
  'application/vnd.ms-word.document.macroenabled.12': archiveKind('docm'),
  'application/vnd.ms-word.template.macroenabled.12': archiveKind('dotm'),
  'application/vnd.ms-excel.sheet.macroenabled.12': archiveKind('xlsm'),
  'application/vnd.ms-excel.template.macroenabled.12': archiveKind('xltm'),
  'application/vnd.ms-powerpoint.presentation.macroenabled.12': archiveKind('pptm'),
  'application/vnd.ms-powerpoint.slideshow.macroenabled.12': archiveKind('ppsm'),
  'application/vnd.ms-powerpoint.template.macroenabled.12': archiveKind('potm'),
  'application/msword': legacyKind('doc'),
  'application/vnd.ms-excel': legacyKind('xls'),
  'application/vnd.ms-powerpoint': legacyKind('ppt'),
  'application/rtf': legacyKind('rtf'),
  'text/rtf': legacyKind('rtf'),
};
export const RENDERED_TYPES: readonly string[] = freezeList([
  ...Object.keys(RENDERED_FORMATS),
  ...Object.keys(OFFICE_KINDS),
]);

/** Those whose pages have text. */
export const TEXT_TYPES: readonly string[] = freezeList(['application/pdf', ...Object.keys(OFFICE_KINDS)]);

/** Plain text is shown as it is. If the original may not be downloaded, it is shown as pages, rendered on request. */
const PLAIN_TEXT = 'text/plain';
const PLAIN_TEXT_KIND: OfficeKind = { extension: 'txt', container: 'text' };

/** All types that have pages. */
export const DOCUMENT_TYPES: readonly string[] = freezeList([...RENDERED_TYPES, ...IMAGE_TYPES, PLAIN_TEXT]);

/** Office documents are rendered from the PDF to which they are converted. */
export type FileFormat = RenderFormat | 'office';

/** Returns how the pages of a file of this type are rendered. */
export function formatOf(mimeType: string): FileFormat {
  return RENDERED_FORMATS[mimeType] ?? (officeKindOf(mimeType) ? 'office' : 'picture');
}

/** Returns how a file of this type is described to LibreOffice; null if LibreOffice does not convert it. */
export function officeKindOf(mimeType: string): OfficeKind | null {
  return OFFICE_KINDS[mimeType] ?? (mimeType === PLAIN_TEXT ? PLAIN_TEXT_KIND : null);
}

interface StoredContent {
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
}

/** Whether the pages of the file are rendered after the upload. */
export function isRenderedAfterUpload({ mimeType, size }: StoredContent): boolean {
  return RENDERED_TYPES.includes(mimeType) && size > 0;
}

/** Whether a thumbnail can be generated from the file as an image. */
export function canHaveThumbnail({ mimeType, size }: StoredContent): boolean {
  return IMAGE_TYPES.includes(mimeType) && size > 0 && size <= MAX_IMAGE_BYTES;
}

/** False for images, from which no text is extracted. */
export function hasText({ format }: { readonly format: FileFormat }): boolean {
  return format === 'pdf' || format === 'office';
}

/** Whether the type is audio or video. */
export function isMedia(mimeType: string): boolean {
  return /^(?:audio|video)\//.test(mimeType);
}

/** Whether pages of the type can be rendered. */
export function hasPages(mimeType: string): boolean {
  return DOCUMENT_TYPES.includes(mimeType);
}

/** Whether the type can be viewed without the original bytes: as rendered pages or as streamed media. */
export function isViewableWithoutOriginal(mimeType: string): boolean {
  return hasPages(mimeType) || isMedia(mimeType);
}
