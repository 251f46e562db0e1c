import { defineErrors } from '../../platform/errors/app-error.js';

export const suggestionErrors = defineErrors({
  SUGGESTION_NOT_FOUND: { status: 404, en: 'Suggestion not found.', tr: 'Öneri bulunamadı.' },
});
