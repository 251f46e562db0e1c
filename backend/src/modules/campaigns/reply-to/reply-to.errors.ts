import { defineErrors } from '../../../platform/errors/app-error.js';

export const replyToErrors = defineErrors({
  REPLY_TO_MAIL_LIMIT: {
    status: 429,
    en: 'No more emails can be sent to this address today. You can request the link again after midnight (UTC).',
    tr: 'Bugün bu adrese daha fazla e-posta gönderilemez. Bağlantıyı gece yarısından (UTC) sonra yeniden isteyebilirsiniz.',
  },
  NOTHING_TO_PROVE: {
    status: 409,
    en: "There's no address waiting for confirmation.",
    tr: 'Onay bekleyen bir adres yok.',
  },
});
