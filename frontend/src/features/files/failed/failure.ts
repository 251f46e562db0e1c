import type { Schema } from '../../../shared/api/client';
import type { Entry } from '../entries';

export type Failure = NonNullable<Schema<'FileDocumentDto'>['failure']>;

/** Why a file cannot be drawn, as far as it is the viewer's to know: of others nothing is asked. */
export function failureOf(entry: Entry): Failure | null {
  if (entry.kind !== 'file' || !entry.file.can.rename) return null;
  const { document } = entry.file;
  return document?.state === 'failed' ? document.failure : null;
}

/** Whether another try could end otherwise: an empty document stays empty, and a locked one locked. */
export function canRetry(entry: Entry): boolean {
  return ![null, 'empty', 'locked'].includes(failureOf(entry));
}
