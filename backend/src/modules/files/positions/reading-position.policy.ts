import { hasPages, isMedia } from '../shared/document-types.js';

export type PositionUnit = 'page' | 'seconds';

/** Returns how a position in a file of this type is measured; null if it can't be read or played here. */
export function positionUnitOf(mimeType: string): PositionUnit | null {
  if (isMedia(mimeType)) return 'seconds';
  return hasPages(mimeType) ? 'page' : null;
}
