import { fileTypeFromBuffer } from 'file-type';
import { extensionOf } from './file-name.js';

/** Number of leading bytes that suffice to detect the type of a file. */
export const SNIFFED_BYTES = 64 * 1024;

const UNKNOWN = 'application/octet-stream';
const TEXT = 'text/plain';

/** Extensions of text files, used only for empty files, which have no bytes to inspect. */
const TEXT_NAMES = new Set(['.txt', '.text', '.log', '.md', '.csv', '.tsv', '.json', '.yaml', '.yml', '.ini']);

const OPEN_XML = {
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.dotx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.template',
  '.docm': 'application/vnd.ms-word.document.macroenabled.12',
  '.dotm': 'application/vnd.ms-word.template.macroenabled.12',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xltx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.template',
  '.xlsm': 'application/vnd.ms-excel.sheet.macroenabled.12',
  '.xltm': 'application/vnd.ms-excel.template.macroenabled.12',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.ppsx': 'application/vnd.openxmlformats-officedocument.presentationml.slideshow',
  '.potx': 'application/vnd.openxmlformats-officedocument.presentationml.template',
  '.pptm': 'application/vnd.ms-powerpoint.presentation.macroenabled.12',
  '.ppsm': 'application/vnd.ms-powerpoint.slideshow.macroenabled.12',
  '.potm': 'application/vnd.ms-powerpoint.template.macroenabled.12',
};

/**
 * Container formats shared by many types. The bytes determine the container; the extension selects the type within it.
 */
const containerTypes: Record<string, Record<string, string>> = {
  'application/zip': {
    ...OPEN_XML,
    '.odt': 'application/vnd.oasis.opendocument.text',
    '.ods': 'application/vnd.oasis.opendocument.spreadsheet',
    '.odp': 'application/vnd.oasis.opendocument.presentation',
    '.odg': 'application/vnd.oasis.opendocument.graphics',
    '.epub': 'application/epub+zip',
  },
  'application/x-cfb': {
    // Password-protected Office documents are an encrypted package in a legacy container (MS-OFFCRYPTO 2.3.2).
    ...OPEN_XML,
    '.doc': 'application/msword',
    '.xls': 'application/vnd.ms-excel',
    '.ppt': 'application/vnd.ms-powerpoint',
    '.pps': 'application/vnd.ms-powerpoint',
  },
};

/**
 * Detects the type of a file from its first bytes. The type claimed by the client is ignored. The name only selects
 * among formats with the same signature that are treated alike.
 * @param head the first bytes, up to `SNIFFED_BYTES`
 * @param isComplete true if `head` is the whole file
 */
export async function detectType(head: Uint8Array, isComplete: boolean, name: string): Promise<string> {
  if (head.byteLength === 0) return TEXT_NAMES.has(extensionOf(name).toLowerCase()) ? TEXT : UNKNOWN;
  const found = await detectBinaryType(head);
  if (found && !/xml$/.test(found)) return containerTypes[found]?.[extensionOf(name).toLowerCase()] ?? found;
  const text = detectTextType(head, isComplete);
  if (text === null || text === TEXT) return detectOffsetPdf(head) ?? text ?? found ?? detectTiff(head) ?? UNKNOWN;
  return text;
}

/** Number of bytes within which PDF viewers look for the header (PDF 32000-1; implementation note 13 of PDF 1.7). */
const PDF_HEADER = 1024;

/** Detects a PDF whose header starts on a later line. Returns null for a text that only mentions a PDF header. */
function detectOffsetPdf(head: Uint8Array): string | null {
  const text = Buffer.from(head).toString('latin1');
  const at = text.slice(0, PDF_HEADER + 8).search(/%PDF-\d\.\d\s/);
  return at >= 0 && at <= PDF_HEADER - 5 && /^\d+ \d+ obj\b/m.test(text.slice(at)) ? 'application/pdf' : null;
}

/** Detects TIFF by its signature. The image directory would tell more but may be anywhere in the file. */
function detectTiff(head: Uint8Array): string | null {
  const signature = Buffer.from(head.subarray(0, 4)).toString('hex');
  return head.byteLength >= 8 && ['49492a00', '4d4d002a', '49492b00', '4d4d002b'].includes(signature)
    ? 'image/tiff'
    : null;
}

/**
 * Whether browsers can display the type without running active content: raster images, video, audio, PDF, plain text.
 */
export function isInlineSafe(mimeType: string): boolean {
  return /^(?:image\/(?:png|apng|jpeg|gif|webp|avif|bmp|x-icon)|video\/.+|audio\/.+|application\/pdf|text\/plain)$/.test(
    mimeType,
  );
}

async function detectBinaryType(head: Uint8Array): Promise<string | null> {
  try {
    return (await fileTypeFromBuffer(head))?.mime ?? null;
  } catch {
    // The data ends inside the part that identifies the format; the type stays unknown.
    return null;
  }
}

function detectTextType(head: Uint8Array, isComplete: boolean): string | null {
  const text = decodeText(head, isComplete);
  if (text === null) return null;
  // A byte order mark, white space and comments may precede the identifying element.
  const start = text.replace(/^(?:\ufeff|\s+|<\?xml[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE\s+svg[^>]*>)+/i, '').slice(0, 200);
  if (/^<(?:\w+:)?svg[\s>/]/i.test(start)) return 'image/svg+xml';
  if (/^<(?:!doctype\s+html|html|head|body|script|iframe|meta|title|style)[\s>/]/i.test(start)) return 'text/html';
  if (/^\ufeff?\s*<\?xml/i.test(text)) return 'application/xml';
  return TEXT;
}

/**
 * Decodes text, or returns null if the bytes are not text. Accepts UTF-8, UTF-16 with a byte order mark, and Windows
 * code pages, without control characters.
 */
function decodeText(head: Uint8Array, isComplete: boolean): string | null {
  const [first, second] = head;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(head, { stream: !isComplete });
    return CONTROL_CHARACTERS.test(text) ? null : text;
  } catch {
    return encoding === 'utf-8' ? decodeWindows(head) : null;
  }
}

const CONTROL_CHARACTERS = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/;
/** Characters typical of legacy Windows files: accented letters and typographic symbols (dashes, quotes, €, …). */
const ACCENTED_CHARACTERS =
  /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œŸ\u00a0-\u00bf×÷ŽžĞİŞğış]/g;
/** In text with a Windows code page, most letters are unaccented, or all others belong to the Turkish alphabet. */
const MAX_ACCENTED_SHARE = 0.5;
const NON_TURKISH_CHARACTER = /[^\u0000-\u007fÂÇÐÖÛÜÝÞÎâçîðöûüýþ]/;

/**
 * Decodes text in Windows-1254 (Turkish) or Windows-1252 (Western European). They differ in eight letters, which does
 * not matter for recognising text. Every byte must be a letter or symbol in one of them.
 */
function decodeWindows(head: Uint8Array): string | null {
  const text = new TextDecoder('windows-1252').decode(head);
  if (CONTROL_CHARACTERS.test(text) || /[\u0080-\u009f]/.test(text)) return null;
  const accented = text.match(ACCENTED_CHARACTERS)?.length ?? 0;
  return accented <= text.length * MAX_ACCENTED_SHARE || !NON_TURKISH_CHARACTER.test(text) ? text : null;
}
