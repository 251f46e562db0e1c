import type { ViewedFile } from '../../access/file-access.service.js';
import { canAccessOriginal } from '../../access/file.policy.js';
import type { AttachmentDto } from '../../dto/document.dto.js';

/** The files attached to a document, for those who may download it: they are parts of its original. */
export function toAttachmentDtos(file: ViewedFile, names: readonly string[]): AttachmentDto[] {
  if (!canAccessOriginal({ ...file, readOnly: file.mountId !== null })) return [];
  return names.map((name, at) => ({
    name: safeAttachmentName(name, at + 1),
    url: `/api/files/${file.id}/pages/attachments/${at + 1}`,
  }));
}

/** The name without folders and control characters; one by its number where nothing is left. */
export function safeAttachmentName(name: string, number: number): string {
  const plain = name
    .replace(/^.*[/\\]/su, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  return plain === '' || /^\.+$/.test(plain) ? `attachment-${number}` : [...plain].slice(0, 255).join('');
}
