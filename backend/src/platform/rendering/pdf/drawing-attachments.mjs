/** Files attached to a PDF; portfolios have them instead of pages. */
import { inRoom, module, Refusal, textOf, viewOf } from '../drawing-module.mjs';

const MAX_ATTACHMENTS = 1000;
/**
 * Maximum bytes of an extracted file. It may be compressed, so its size isn't known before, and it is copied from the
 * module's memory into a message.
 */
const MAX_BYTES = 100 * 1024 * 1024;
const NAME_BYTES = 4096;

/** Names of the attached files; empty where a file has none. @returns {string[]} */
export function attachmentsOf(/** @type {number} */ document) {
  const count = Math.min(module._FPDFDoc_GetAttachmentCount(document), MAX_ATTACHMENTS);
  return Array.from({ length: Math.max(0, count) }, (_, at) => nameOf(module._FPDFDoc_GetAttachment(document, at)));
}

function nameOf(/** @type {number} */ attachment) {
  const write = (pointer, size) => module._FPDFAttachment_GetName(attachment, pointer, size);
  return textOf(write, 'utf16le', NAME_BYTES).toWellFormed().replaceAll('\0', '');
}

/** Returns an attached file by its number, from 1. */
export function attachmentOf(/** @type {number} */ document, /** @type {number} */ number) {
  const attachment = module._FPDFDoc_GetAttachment(document, number - 1);
  if (attachment === 0) throw new Refusal('no-page');
  const bytes = inRoom(4, (length) => {
    if (module._FPDFAttachment_GetFile(attachment, 0, 0, length) === 0) throw new Refusal('damaged');
    const size = viewOf(length, 4).getUint32(0, true);
    if (size > MAX_BYTES) throw new Refusal('too-large');
    return inRoom(Math.max(1, size), (pointer) => {
      if (module._FPDFAttachment_GetFile(attachment, pointer, size, length) === 0) throw new Refusal('damaged');
      return module.HEAPU8.slice(pointer, pointer + size);
    });
  });
  return { name: nameOf(attachment), bytes };
}
