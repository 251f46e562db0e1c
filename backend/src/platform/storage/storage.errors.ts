import { defineErrors } from '../errors/app-error.js';

export const storageErrors = defineErrors({
  STORAGE_UNAVAILABLE: {
    status: 503,
    en: 'The file storage is not reachable at the moment. Please try again shortly.',
    tr: 'Dosya deposuna şu anda ulaşılamıyor. Lütfen birazdan yeniden deneyin.',
  },
  OBJECT_TOO_LARGE: { status: 413, en: 'The file is too large.', tr: 'Dosya çok büyük.' },
});
