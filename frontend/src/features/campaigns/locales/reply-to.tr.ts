import type { Texts } from '../../../shared/preferences/language';
import type en from './reply-to.en';

export default {
  label: 'Yanıt adresi',
  help: 'Boşsa sizin adresiniz.',
  waiting: 'Onay bekleniyor',
  asked:
    '{{when}} tarihinde {{email}} adresine yazdık. O e-postadaki düğmeye basılana kadar yanıtlar kendi adresinize gelir.',
  unasked: '{{email}} adresine henüz bağlantı gönderilmedi. Onaylanana kadar yanıtlar kendi adresinize gelir.',
  again: 'Yeniden Gönder',
  send: 'Bağlantıyı Gönder',
  sent: 'Bağlantı {{email}} adresine gönderiliyor',
  notSent: 'Bağlantı gönderilemedi',
} satisfies Texts<typeof en>;
