import type { DrawingFault, DrawingFormat } from '../../../platform/drawing/drawing-protocol.js';
import type { DocumentState, TextsState } from '../entities/document.entity.js';

/** A file of which pages are drawn, and what there is of them. */
export interface DocumentFile {
  readonly fileId: number;
  readonly objectKey: string;
  /** Bytes. */
  readonly size: number;
  readonly format: DrawingFormat;
  /** Null while nothing is known of it. */
  readonly state: DocumentState | null;
  readonly failure: DrawingFault | null;
  readonly pageCount: number | null;
  readonly hasThumbnail: boolean;
  readonly texts: TextsState;
}
