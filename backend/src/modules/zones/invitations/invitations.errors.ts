import { defineErrors } from '../../../platform/errors/app-error.js';

export const invitationErrors = defineErrors({
  INVITATION_INVALID: {
    status: 404,
    en: 'This invitation link is invalid or expired',
    tr: 'Bu davet bağlantısı geçersiz veya süresi dolmuş',
  },
  INVITATION_OTHER_ADDRESS: {
    status: 403,
    en: 'This invitation was sent to another address. Please sign out and open it again, or sign in with that address.',
    tr: 'Bu davet başka bir adrese gönderildi. Lütfen çıkış yapıp daveti yeniden açın veya o adresle giriş yapın.',
  },
  INVITATION_NOT_FOUND: {
    status: 404,
    en: 'This invitation is not there any more.',
    tr: 'Bu davet artık yok.',
  },
});
