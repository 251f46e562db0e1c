import { defineErrors } from '../../platform/errors/app-error.js';

export const suggestionErrors = defineErrors({
  SUGGESTION_NOT_FOUND: { status: 404, en: 'Suggestion not found.', tr: 'Öneri bulunamadı.' },
  SUGGESTION_OF_ANOTHER: {
    status: 403,
    en: 'Only who made a suggestion may change or withdraw it.',
    tr: 'Bir öneriyi yalnızca yapan kişi değiştirebilir veya geri çekebilir.',
  },
  SUGGESTION_NOT_PENDING: {
    status: 409,
    en: 'This suggestion has been taken up and cannot be changed or withdrawn any more.',
    tr: 'Bu öneri ele alındı; artık değiştirilemez veya geri çekilemez.',
  },
  SUGGESTION_MERGED: {
    status: 409,
    en: 'This suggestion has been merged into another one, which counts its votes.',
    tr: 'Bu öneri, oylarını da sayan başka bir öneriyle birleştirildi.',
  },
  SUGGESTION_NOT_MERGED: {
    status: 409,
    en: 'This suggestion is not merged into another one.',
    tr: 'Bu öneri başka bir öneriyle birleştirilmemiş.',
  },
  SUGGESTION_HAS_MERGED: {
    status: 409,
    en: 'Other suggestions are merged into this one. Undo that first, or merge the other one into this.',
    tr: 'Bu öneriyle birleştirilmiş başka öneriler var. Önce onları ayırın ya da diğerini bununla birleştirin.',
  },
  SUGGESTION_REJECTED: {
    status: 409,
    en: 'This suggestion will not be built and takes no votes.',
    tr: 'Bu öneri hayata geçirilmeyecek; oy almıyor.',
  },
});
