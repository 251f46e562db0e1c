import { defineErrors } from '../../platform/errors/app-error.js';

export const suggestionErrors = defineErrors({
  SUGGESTION_NOT_FOUND: { status: 404, en: 'Suggestion not found.', tr: 'Öneri bulunamadı.' },
  SUGGESTION_OF_ANOTHER: {
    status: 403,
    en: 'You can only edit or withdraw your own suggestions.',
    tr: 'Yalnızca kendi önerilerinizi düzenleyebilir veya geri çekebilirsiniz.',
  },
  SUGGESTION_NOT_PENDING: {
    status: 409,
    en: "This suggestion is no longer pending, so you can't edit or withdraw it.",
    tr: 'Bu öneri artık beklemede olmadığı için düzenlenemez veya geri çekilemez.',
  },
  SUGGESTION_MERGED: {
    status: 409,
    en: 'This suggestion has been merged into another one. Its votes count there.',
    tr: 'Bu öneri başka bir öneriyle birleştirildi. Oyları orada sayılıyor.',
  },
  SUGGESTION_NOT_MERGED: {
    status: 409,
    en: "This suggestion isn't merged into another one.",
    tr: 'Bu öneri başka bir öneriyle birleştirilmemiş.',
  },
  SUGGESTION_HAS_MERGED: {
    status: 409,
    en: 'Other suggestions are merged into this one. Undo those merges first, or merge the other suggestion into this one.',
    tr: 'Bu öneriyle birleştirilmiş başka öneriler var. Önce onları ayırın ya da diğer öneriyi bununla birleştirin.',
  },
  SUGGESTION_REJECTED: {
    status: 409,
    en: "This suggestion was rejected, so you can't vote for it.",
    tr: 'Bu öneri reddedildiği için oy verilemez.',
  },
});
