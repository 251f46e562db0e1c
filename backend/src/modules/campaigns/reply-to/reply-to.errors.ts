import { defineErrors } from '../../../platform/errors/app-error.js';

export const replyToErrors = defineErrors({
  REPLY_TO_MAIL_LIMIT: {
    status: 429,
    en: 'No more emails can be sent to this address today. You can ask for the link again from midnight (UTC) on.',
    tr: 'Bugün bu adrese daha fazla e-posta gönderilemez. Bağlantıyı gece yarısından (UTC) itibaren yeniden isteyebilirsiniz.',
  },
  NOTHING_TO_PROVE: {
    status: 409,
    en: 'There is no address that waits for a confirmation.',
    tr: 'Onay bekleyen bir adres yok.',
  },
});
