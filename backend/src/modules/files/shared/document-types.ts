import { freezeList } from '../../../platform/constants/freeze-list.js';
import type { RenderFormat } from '../../../platform/rendering/rendering-protocol.js';
import type { OfficeContainer } from '../../../platform/rendering/office/office.service.js';

/** Pictures that browsers show. Of them pages are drawn when somebody asks for one. */
export const IMAGE_TYPES: readonly string[] = freezeList([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
]);

/** Of these, pages and the picture in lists are drawn after the upload. */
const RENDERED_FORMATS: Readonly<Record<string, RenderFormat>> = {
  'application/pdf': 'pdf',
  'image/tiff': 'tiff',
  'image/heic': 'heic',
  'image/heif': 'heic',
  'image/svg+xml': 'svg',
};

/** How LibreOffice is told what it gets; all but the old forms are archives. */
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
  // The case is that of the library that recognizes them. Macros are never run.
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

/** Those of them whose pages have words. */
export const TEXT_TYPES: readonly string[] = freezeList(['application/pdf', ...Object.keys(OFFICE_KINDS)]);

/** Read as it is; by pages, drawn when somebody first asks for them, where its bytes are not to leave. */
const PLAIN_TEXT = 'text/plain';
const PLAIN_TEXT_KIND: OfficeKind = { extension: 'txt', container: 'text' };

/** All of which there are pages. */
export const DOCUMENT_TYPES: readonly string[] = freezeList([...RENDERED_TYPES, ...IMAGE_TYPES, PLAIN_TEXT]);

/** Those of Office are drawn of the PDF that is made of them. */
export type FileFormat = RenderFormat | 'office';

/** How pages of a file of these types are drawn. */
export function formatOf(mimeType: string): FileFormat {
  return RENDERED_FORMATS[mimeType] ?? (officeKindOf(mimeType) ? 'office' : 'picture');
}

/** What LibreOffice is told of a file of this type; null of what it is not asked about. */
export function officeKindOf(mimeType: string): OfficeKind | null {
  return OFFICE_KINDS[mimeType] ?? (mimeType === PLAIN_TEXT ? PLAIN_TEXT_KIND : null);
}

/** True for files of which pages are drawn after the upload. */
export function isRenderedAfterUpload({
  mimeType,
  size,
}: {
  readonly mimeType: string;
  readonly size: number;
}): boolean {
  return RENDERED_TYPES.includes(mimeType) && size > 0;
}

/** False for pictures: nothing of them is read. */
export function hasText({ format }: { readonly format: FileFormat }): boolean {
  return format === 'pdf' || format === 'office';
}

/** True for what is played: sound and film. */
export function isMedia(mimeType: string): boolean {
  return /^(?:audio|video)\//.test(mimeType);
}

/** True for types that are read here without their original: by pages, or played in pieces. */
export function isViewableWithoutOriginal(mimeType: string): boolean {
  return DOCUMENT_TYPES.includes(mimeType) || isMedia(mimeType);
}
