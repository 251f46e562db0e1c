import type { Schema } from '../../../shared/api/client';
import type { Entry } from '../entries';

export type RenderingFailure = NonNullable<Schema<'FileDocumentDto'>['failure']>;

/** Returns why a file couldn't be rendered, if the viewer manages the file; null for other viewers. */
export function getRenderingFailure(entry: Entry): RenderingFailure | null {
  if (entry.kind !== 'file' || !entry.file.can.rename) return null;
  const { document } = entry.file;
  return document?.state === 'failed' ? document.failure : null;
}

/** Whether a retry could succeed: an empty document stays empty, and a locked one stays locked. */
export function canRetryRendering(entry: Entry): boolean {
  return ![null, 'empty', 'locked'].includes(getRenderingFailure(entry));
}
