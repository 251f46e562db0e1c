import type { DrawingFault } from '../../../platform/drawing/drawing-protocol.js';
import type { Sentence } from '../../../platform/errors/app-error.js';

/** Why a document is not shown, as people read it. */
export const failureSentences: Record<Exclude<DrawingFault, 'no-page'>, Sentence> = {
  damaged: {
    en: 'This document is damaged and cannot be shown.',
    tr: 'Bu belge hasarlı ve gösterilemiyor.',
  },
  empty: { en: 'This document is empty.', tr: 'Bu belge boş.' },
  locked: {
    en: 'This document is locked with a password.',
    tr: 'Bu belge bir parolayla kilitlenmiş.',
  },
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
