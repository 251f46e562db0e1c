import { defineErrors } from '../errors/app-error.js';

export const storageErrors = defineErrors({
  STORAGE_UNAVAILABLE: {
    status: 503,
    en: 'The file storage is not reachable at the moment. Please try again shortly.',
    tr: 'Dosya deposuna şu anda ulaşılamıyor. Lütfen birazdan yeniden deneyin.',
  },
  DISK_FULL: {
    status: 507,
    en: 'There is no room left for files on this server. What is stored is safe; whoever runs the service has to make room.',
    tr: 'Bu sunucuda dosyalar için yer kalmadı. Saklananlar güvende; hizmeti işletenlerin yer açması gerekiyor.',
  },
  OBJECT_TOO_LARGE: { status: 413, en: 'The file is too large.', tr: 'Dosya çok büyük.' },
});
