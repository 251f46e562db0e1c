import { catalogue } from '../../../platform/catalogue/catalogue.js';
import type { DrawingFormat } from '../../../platform/drawing/drawing-protocol.js';
import type { OfficeForm } from '../../../platform/drawing/office/office.service.js';

/** Pictures that browsers show. Of them pages are drawn when somebody asks for one. */
export const IMAGE_TYPES: readonly string[] = catalogue([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
]);

/** Of these, pages and the picture in lists are drawn after the upload. */
const DRAWN: Readonly<Record<string, DrawingFormat>> = {
  'application/pdf': 'pdf',
  'image/tiff': 'tiff',
  'image/heic': 'heic',
  'image/heif': 'heic',
  'image/svg+xml': 'svg',
};

/** How LibreOffice is told what it gets; all but the old forms are archives. */
export interface OfficeKind {
  readonly extension: string;
  readonly form: OfficeForm;
}
const archive = (extension: string): OfficeKind => ({ extension, form: 'archive' });
const old = (extension: string): OfficeKind => ({ extension, form: 'old' });
const OFFICE: Readonly<Record<string, OfficeKind>> = {
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': archive('docx'),
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': archive('xlsx'),
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': archive('pptx'),
  'application/vnd.oasis.opendocument.text': archive('odt'),
  'application/vnd.oasis.opendocument.spreadsheet': archive('ods'),
  'application/vnd.oasis.opendocument.presentation': archive('odp'),
  'application/vnd.oasis.opendocument.graphics': archive('odg'),
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template': archive('dotx'),
  'application/vnd.openxmlformats-officedocument.spreadsheetml.template': archive('xltx'),
  'application/vnd.openxmlformats-officedocument.presentationml.template': archive('potx'),
  'application/vnd.openxmlformats-officedocument.presentationml.slideshow': archive('ppsx'),
  // The case is that of the library that recognizes them. Macros are never run.
  'application/vnd.ms-word.document.macroenabled.12': archive('docm'),
  'application/vnd.ms-word.template.macroenabled.12': archive('dotm'),
  'application/vnd.ms-excel.sheet.macroenabled.12': archive('xlsm'),
  'application/vnd.ms-excel.template.macroenabled.12': archive('xltm'),
  'application/vnd.ms-powerpoint.presentation.macroenabled.12': archive('pptm'),
  'application/vnd.ms-powerpoint.slideshow.macroenabled.12': archive('ppsm'),
  'application/vnd.ms-powerpoint.template.macroenabled.12': archive('potm'),
  'application/msword': old('doc'),
  'application/vnd.ms-excel': old('xls'),
  'application/vnd.ms-powerpoint': old('ppt'),
  'application/rtf': old('rtf'),
  'text/rtf': old('rtf'),
};
export const DRAWN_TYPES: readonly string[] = catalogue([...Object.keys(DRAWN), ...Object.keys(OFFICE)]);

/** Those of them whose pages have words. */
export const WORDED_TYPES: readonly string[] = catalogue(['application/pdf', ...Object.keys(OFFICE)]);

/** Read as it is; by pages, drawn when somebody first asks for them, where its bytes are not to leave. */
const TEXT = 'text/plain';
const WORDS: OfficeKind = { extension: 'txt', form: 'text' };

/** All of which there are pages. */
export const DOCUMENT_TYPES: readonly string[] = catalogue([...DRAWN_TYPES, ...IMAGE_TYPES, TEXT]);

/** Those of Office are drawn of the PDF that is made of them. */
export type FileFormat = DrawingFormat | 'office';

/** How pages of a file of these types are drawn. */
export function formatOf(mimeType: string): FileFormat {
  return DRAWN[mimeType] ?? (officeKindOf(mimeType) ? 'office' : 'picture');
}

/** What LibreOffice is told of a file of this type; null of what it is not asked about. */
export function officeKindOf(mimeType: string): OfficeKind | null {
  return OFFICE[mimeType] ?? (mimeType === TEXT ? WORDS : null);
}

/** True for files of which pages are drawn after the upload. */
export function isDrawn({ mimeType, size }: { readonly mimeType: string; readonly size: number }): boolean {
  return DRAWN_TYPES.includes(mimeType) && size > 0;
}

/** False for pictures: nothing of them is read. */
export function hasWords({ format }: { readonly format: FileFormat }): boolean {
  return format === 'pdf' || format === 'office';
}

/** True for what is played: sound and film. */
export function isMedium(mimeType: string): boolean {
  return /^(?:audio|video)\//.test(mimeType);
}

/** True for types that are read here without their original: by pages, or played in pieces. */
export function isReadApart(mimeType: string): boolean {
  return DOCUMENT_TYPES.includes(mimeType) || isMedium(mimeType);
}
