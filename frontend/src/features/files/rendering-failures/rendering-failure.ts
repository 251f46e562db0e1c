import type { Schema } from '../../../shared/api/client';
import type { Entry } from '../entries';

export type RenderingFailure = NonNullable<Schema<'FileDocumentDto'>['failure']>;

/** Why a file cannot be drawn, as far as it is the viewer's to know: of others nothing is asked. */
export function getRenderingFailure(entry: Entry): RenderingFailure | null {
  if (entry.kind !== 'file' || !entry.file.can.rename) return null;
  const { document } = entry.file;
  return document?.state === 'failed' ? document.failure : null;
}

/** Whether another try could end otherwise: an empty document stays empty, and a locked one locked. */
export function canRetryRendering(entry: Entry): boolean {
  return ![null, 'empty', 'locked'].includes(getRenderingFailure(entry));
}
