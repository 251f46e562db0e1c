import { defineErrors } from '../errors/app-error.js';

export const storageErrors = defineErrors({
  STORAGE_UNAVAILABLE: {
    status: 503,
    en: 'The file storage is unavailable at the moment. Please try again shortly.',
    tr: 'Dosya deposu şu anda kullanılamıyor. Lütfen birazdan yeniden deneyin.',
  },
  DISK_FULL: {
    status: 507,
    en: 'The server has run out of disk space. Your stored files are safe. Please contact the site administrator.',
    tr: 'Sunucuda disk alanı kalmadı. Saklanan dosyalarınız güvende. Lütfen site yöneticisine başvurun.',
  },
  OBJECT_TOO_LARGE: { status: 413, en: 'The file is too large.', tr: 'Dosya çok büyük.' },
});
