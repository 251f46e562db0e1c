import type { DrawingFault } from '../../../platform/drawing/drawing-protocol.js';
import type { AppError, Sentence } from '../../../platform/errors/app-error.js';
import { fileErrors } from '../files.errors.js';

/** Why a document is not shown, as people read it. */
const sentences: Record<Exclude<DrawingFault, 'no-page' | 'locked'>, Sentence> = {
  damaged: {
    en: 'This document is damaged and cannot be shown.',
    tr: 'Bu belge hasarlı ve gösterilemiyor.',
  },
  'dynamic-form': {
    en: 'This is a dynamic form (XFA). Only Adobe Acrobat and Adobe Reader can show it.',
    tr: 'Bu bir dinamik form (XFA). Yalnızca Adobe Acrobat ve Adobe Reader gösterebilir.',
  },
  empty: { en: 'This document is empty.', tr: 'Bu belge boş.' },
  'no-office': {
    en: 'This server cannot show documents of this kind.',
    tr: 'Bu sunucu bu tür belgeleri gösteremiyor.',
  },
  outside: {
    en: 'This document may load other files, which this server cannot prevent, so it is not shown.',
    tr: 'Bu belge başka dosyaları yükleyebilir; bu sunucu bunu engelleyemediği için belge gösterilmiyor.',
  },
  'too-large': {
    en: 'This document is too large to be shown here.',
    tr: 'Bu belge burada gösterilemeyecek kadar büyük.',
  },
  'too-many-pages': {
    en: 'This document has more than 10,000 pages, too many to be shown here.',
    tr: 'Bu belgede 10.000’den fazla sayfa var; burada gösterilemeyecek kadar çok.',
  },
  'too-slow': {
    en: 'This document takes too long to be drawn.',
    tr: 'Bu belgenin çizilmesi çok uzun sürüyor.',
  },
  unsupported: {
    en: 'This document is protected in a way that cannot be shown here.',
    tr: 'Bu belge, burada gösterilemeyen bir yöntemle korunuyor.',
  },
  'wrong-type': {
    en: 'This file says that it is a PDF, but it is not.',
    tr: 'Bu dosya PDF olduğunu söylüyor ama değil.',
  },
};

/** How a document is refused that is not shown for what it is. */
export function documentFailed(fault: DrawingFault): AppError {
  if (fault === 'no-page') return fileErrors.PAGE_NOT_FOUND();
  if (fault === 'locked') return fileErrors.DOCUMENT_LOCKED();
  return fileErrors.DOCUMENT_FAILED({ reason: sentences[fault] });
}
