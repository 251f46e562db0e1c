import type { RenderFault } from '../../../platform/rendering/rendering-protocol.js';
import type { RenderSource } from '../../../platform/rendering/rendering.service.js';
import type { DocumentState, TextsState } from '../entities/document.entity.js';
import { fileErrors } from '../files.errors.js';
import type { FileFormat, OfficeKind } from '../shared/document-types.js';

/** A file of which pages are drawn, and what there is of them. */
export interface DocumentFile {
  readonly fileId: number;
  /** Whose zone it lies in. */
  readonly owner: number;
  readonly objectKey: string;
  /** Bytes. */
  readonly size: number;
  readonly format: FileFormat;
  /** Null of what is no Office document. */
  readonly office: OfficeKind | null;
  /** Of what its pages are drawn: itself, or the PDF that was made of it; null while that is not there. */
  readonly source: RenderSource | null;
  /** Null while nothing is known of it. */
  readonly state: DocumentState | null;
  readonly failure: RenderFault | null;
  readonly pageCount: number | null;
  readonly hasThumbnail: boolean;
  readonly texts: TextsState;
}

/**
 * Of what its pages are drawn.
 * @throws DOCUMENT_NOT_READY while that is not there
 */
export function requireSource({ source }: DocumentFile): RenderSource {
  if (!source) throw fileErrors.DOCUMENT_NOT_READY();
  return source;
}
