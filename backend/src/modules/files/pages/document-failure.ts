import type { RenderFailure } from '../../../platform/rendering/rendering-protocol.js';
import type { AppError, LocalizedText } from '../../../platform/errors/app-error.js';
import { fileErrors } from '../files.errors.js';

/** User-facing reasons why a document can't be displayed. */
const failureMessages: Record<Exclude<RenderFailure, 'no-page' | 'locked'>, LocalizedText> = {
  damaged: {
    en: "This document is damaged and can't be displayed.",
    tr: 'Bu belge hasarlı olduğu için görüntülenemiyor.',
  },
  'dynamic-form': {
    en: 'This is a dynamic form (XFA). Only Adobe Acrobat and Adobe Reader can display it.',
    tr: 'Bu bir dinamik form (XFA). Yalnızca Adobe Acrobat ve Adobe Reader görüntüleyebilir.',
  },
  empty: { en: 'This document is empty.', tr: 'Bu belge boş.' },
  'no-office': {
    en: "This server can't display documents of this type.",
    tr: 'Bu sunucu bu tür belgeleri görüntüleyemiyor.',
  },
  outside: {
    en: "This document isn't displayed because it may load external files, which this server can't prevent.",
    tr: 'Bu belge harici dosyalar yükleyebileceği ve bu sunucu bunu engelleyemediği için görüntülenmiyor.',
  },
  'too-large': {
    en: 'This document is too large to be displayed.',
    tr: 'Bu belge görüntülenemeyecek kadar büyük.',
  },
  'too-many-pages': {
    en: 'This document has more than 10,000 pages, which is too many to display.',
    tr: 'Bu belge 10.000’den fazla sayfası olduğu için görüntülenemiyor.',
  },
  'too-slow': {
    en: 'This document takes too long to prepare.',
    tr: 'Bu belgenin hazırlanması çok uzun sürüyor.',
  },
  unsupported: {
    en: "This document's protection isn't supported, so it can't be displayed.",
    tr: 'Bu belge, koruma yöntemi desteklenmediği için görüntülenemiyor.',
  },
  'wrong-type': {
    en: "This file claims to be a PDF, but it isn't one.",
    tr: 'Bu dosya PDF olarak adlandırılmış ama PDF değil.',
  },
};

/** Returns the error for a document that can't be displayed. */
export function documentFailedError(failure: RenderFailure): AppError {
  if (failure === 'no-page') return fileErrors.PAGE_NOT_FOUND();
  if (failure === 'locked') return fileErrors.DOCUMENT_LOCKED();
  return fileErrors.DOCUMENT_FAILED({ reason: failureMessages[failure] });
}
