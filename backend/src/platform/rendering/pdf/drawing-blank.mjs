/** Detects scanned pages whose image can't be decoded: PDFium draws nothing and reports no error. */
import { module, textOf } from '../drawing-module.mjs';

/** `FPDF_PAGEOBJ_IMAGE` */
const IMAGE = 3;
/** Compression filters of scans. */
const CODECS = ['JBIG2Decode', 'JPXDecode', 'DCTDecode', 'CCITTFaxDecode'];
const NAME_BYTES = 64;

/** Whether a blank page has a scan that can't be decoded. @param {number} number from 1 */
export function isLostScan(/** @type {number} */ document, number, /** @type {Uint8Array} */ pixels) {
  if (pixels.some((value) => value !== 0xff)) return false;
  const page = module._FPDF_LoadPage(document, number - 1);
  const isLost = hasLostScan(page);
  module._FPDF_ClosePage(page);
  return isLost;
}

function hasLostScan(/** @type {number} */ page) {
  const count = module._FPDFPage_CountObjects(page);
  for (let at = 0; at < count; at++) {
    const object = module._FPDFPage_GetObject(page, at);
    if (module._FPDFPageObj_GetType(object) === IMAGE && isScan(object) && !isDecoded(object)) return true;
  }
  return false;
}

function isScan(/** @type {number} */ image) {
  const count = module._FPDFImageObj_GetImageFilterCount(image);
  return Array.from({ length: count }, (_, at) => {
    const write = (pointer, size) => module._FPDFImageObj_GetImageFilter(image, at, pointer, size);
    return textOf(write, 'latin1', NAME_BYTES);
  }).some((name) => CODECS.includes(name));
}

function isDecoded(/** @type {number} */ image) {
  const bitmap = module._FPDFImageObj_GetBitmap(image);
  if (bitmap !== 0) module._FPDFBitmap_Destroy(bitmap);
  return bitmap !== 0;
}
