import { defineErrors } from '../../platform/errors/app-error.js';

export const accountErrors = defineErrors({
  PICTURE_TYPE: {
    status: 400,
    en: 'Please choose a picture: PNG, JPEG, GIF, WebP or AVIF.',
    tr: 'Lütfen bir resim seçin: PNG, JPEG, GIF, WebP veya AVIF.',
  },
  PICTURE_UNREADABLE: {
    status: 400,
    en: 'This picture is damaged or has too many pixels. Please choose another one.',
    tr: 'Bu resim bozuk veya çok fazla piksel içeriyor. Lütfen başka bir resim seçin.',
  },
  PICTURE_TOO_LARGE: {
    status: 413,
    en: 'The picture may have 5 MB at most.',
    tr: 'Resim en fazla 5 MB olabilir.',
  },
  PICTURE_NOT_FOUND: {
    status: 404,
    en: 'This picture is not there any more.',
    tr: 'Bu resim artık yok.',
  },
  LAST_SUPER_ADMIN: {
    status: 409,
    en: 'You are the last super admin. Make somebody else one before you delete your account.',
    tr: 'Son süper yöneticisiniz. Hesabınızı silmeden önce başka birini süper yönetici yapın.',
  },
});
