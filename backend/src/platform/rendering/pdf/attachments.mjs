/** Files attached to a PDF; portfolios have them instead of pages. */
import { withMemory, pdfium, DocumentError, readString, viewMemory } from '../pdfium-module.mjs';

const MAX_ATTACHMENTS = 1000;
/**
 * Maximum bytes of an extracted file. It may be compressed, so its size isn't known before, and it is copied from the
 * module's memory into a message.
 */
const MAX_BYTES = 100 * 1024 * 1024;
const NAME_BYTES = 4096;

/** Names of the attached files; empty where a file has none. @returns {string[]} */
export function listAttachments(/** @type {number} */ document) {
  const count = Math.min(pdfium._FPDFDoc_GetAttachmentCount(document), MAX_ATTACHMENTS);
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    readName(pdfium._FPDFDoc_GetAttachment(document, index)),
  );
}

function readName(/** @type {number} */ attachment) {
  const write = (pointer, size) => pdfium._FPDFAttachment_GetName(attachment, pointer, size);
  return readString(write, 'utf16le', NAME_BYTES).toWellFormed().replaceAll('\0', '');
}

/** Returns an attached file by its number, from 1. */
export function extractAttachment(/** @type {number} */ document, /** @type {number} */ number) {
  const attachment = pdfium._FPDFDoc_GetAttachment(document, number - 1);
  if (attachment === 0) throw new DocumentError('no-page');
  const bytes = withMemory(4, (length) => {
    if (pdfium._FPDFAttachment_GetFile(attachment, 0, 0, length) === 0) throw new DocumentError('damaged');
    const size = viewMemory(length, 4).getUint32(0, true);
    if (size > MAX_BYTES) throw new DocumentError('too-large');
    return withMemory(Math.max(1, size), (pointer) => {
      if (pdfium._FPDFAttachment_GetFile(attachment, pointer, size, length) === 0) throw new DocumentError('damaged');
      return pdfium.HEAPU8.slice(pointer, pointer + size);
    });
  });
  return { name: readName(attachment), bytes };
}
