import type { AccessibleFile } from '../../access/file-access.repository.js';
import { canAccessOriginal } from '../../access/file.policy.js';
import type { AttachmentDto } from '../../dto/document.dto.js';

/**
 * Lists the files attached to a document. Empty for viewers who may not download the document, because attachments are
 * parts of the original.
 */
export function toAttachmentDtos(file: AccessibleFile, names: readonly string[]): AttachmentDto[] {
  if (!canAccessOriginal({ ...file, readOnly: file.mountId !== null })) return [];
  return names.map((name, index) => ({
    name: safeAttachmentName(name, index + 1),
    url: `/api/files/${file.id}/pages/attachments/${index + 1}`,
  }));
}

/** Returns the name without folders and control characters, or a numbered name if nothing is left. */
export function safeAttachmentName(name: string, number: number): string {
  const plain = name
    .replace(/^.*[/\\]/su, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  return plain === '' || /^\.+$/.test(plain) ? `attachment-${number}` : [...plain].slice(0, 255).join('');
}
