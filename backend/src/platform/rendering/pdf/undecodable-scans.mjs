/** Detects scanned pages whose image can't be decoded: PDFium renders nothing and reports no error. */
import { pdfium, readString } from '../pdfium-module.mjs';

/** `FPDF_PAGEOBJ_IMAGE` */
const IMAGE = 3;
/** Compression filters of scans. */
const CODECS = ['JBIG2Decode', 'JPXDecode', 'DCTDecode', 'CCITTFaxDecode'];
const NAME_BYTES = 64;

/** Whether a blank page has a scan that can't be decoded. @param {number} number from 1 */
export function hasUndecodableScan(/** @type {number} */ document, number, /** @type {Uint8Array} */ pixels) {
  if (pixels.some((value) => value !== 0xff)) return false;
  const page = pdfium._FPDF_LoadPage(document, number - 1);
  const isUndecodable = containsUndecodableScan(page);
  pdfium._FPDF_ClosePage(page);
  return isUndecodable;
}

function containsUndecodableScan(/** @type {number} */ page) {
  const count = pdfium._FPDFPage_CountObjects(page);
  for (let index = 0; index < count; index++) {
    const object = pdfium._FPDFPage_GetObject(page, index);
    if (pdfium._FPDFPageObj_GetType(object) === IMAGE && isScan(object) && !isDecoded(object)) return true;
  }
  return false;
}

function isScan(/** @type {number} */ image) {
  const count = pdfium._FPDFImageObj_GetImageFilterCount(image);
  return Array.from({ length: count }, (_, index) => {
    const write = (pointer, size) => pdfium._FPDFImageObj_GetImageFilter(image, index, pointer, size);
    return readString(write, 'latin1', NAME_BYTES);
  }).some((name) => CODECS.includes(name));
}

function isDecoded(/** @type {number} */ image) {
  const bitmap = pdfium._FPDFImageObj_GetBitmap(image);
  if (bitmap !== 0) pdfium._FPDFBitmap_Destroy(bitmap);
  return bitmap !== 0;
}
