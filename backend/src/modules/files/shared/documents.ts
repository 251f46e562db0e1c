import { catalogue } from '../../../platform/catalogue/catalogue.js';
import type { DrawingFormat } from '../../../platform/drawing/drawing-protocol.js';

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
export const DRAWN_TYPES: readonly string[] = catalogue(Object.keys(DRAWN));

/** All of which there are pages. */
export const DOCUMENT_TYPES: readonly string[] = catalogue([...DRAWN_TYPES, ...IMAGE_TYPES]);

/** How pages of a file of these types are drawn. */
export function formatOf(mimeType: string): DrawingFormat {
  return DRAWN[mimeType] ?? 'picture';
}

/** True for files of which pages are drawn after the upload. */
export function isDrawn({ mimeType, size }: { readonly mimeType: string; readonly size: number }): boolean {
  return DRAWN_TYPES.includes(mimeType) && size > 0;
}

/** False for pictures: nothing of them is read. */
export function hasWords({ format }: { readonly format: DrawingFormat }): boolean {
  return format === 'pdf';
}

/** True for what is played: sound and film. */
export function isMedium(mimeType: string): boolean {
  return /^(?:audio|video)\//.test(mimeType);
}

/** True for types that are read here without their original: by pages, or played in pieces. */
export function isReadApart(mimeType: string): boolean {
  return DOCUMENT_TYPES.includes(mimeType) || isMedium(mimeType);
}
