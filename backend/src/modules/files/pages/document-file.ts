import type { RenderFailure } from '../../../platform/rendering/rendering-protocol.js';
import type { RenderSource } from '../../../platform/rendering/rendering.service.js';
import type { DocumentState, TextsState } from '../entities/document.entity.js';
import { fileErrors } from '../files.errors.js';
import type { FileFormat, OfficeKind } from '../shared/document-types.js';

/** A file with renderable pages and what is known about them. */
export interface DocumentFile {
  readonly fileId: number;
  /** Owner of the zone that contains the file. */
  readonly owner: number;
  readonly objectKey: string;
  /** Bytes. */
  readonly size: number;
  readonly format: FileFormat;
  /** Null if it is not an Office document. */
  readonly office: OfficeKind | null;
  /** What the pages are rendered from: the file itself, or its converted PDF. Null until the PDF exists. */
  readonly source: RenderSource | null;
  /** Null if nothing is known about the document yet. */
  readonly state: DocumentState | null;
  readonly failure: RenderFailure | null;
  readonly pageCount: number | null;
  readonly hasThumbnail: boolean;
  readonly texts: TextsState;
}

/**
 * Returns what the pages are rendered from.
 * @throws DOCUMENT_NOT_READY if the PDF does not exist yet
 */
export function requireSource({ source }: DocumentFile): RenderSource {
  if (!source) throw fileErrors.DOCUMENT_NOT_READY();
  return source;
}
