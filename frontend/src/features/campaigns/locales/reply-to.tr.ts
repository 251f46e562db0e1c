import type { Texts } from '../../../shared/preferences/language';
import type en from './reply-to.en';

export default {
  label: 'Yanıt adresi',
  help: 'Kendi adresinizi kullanmak için boş bırakın.',
  waiting: 'Doğrulama bekleniyor',
  asked:
    '{{when}} tarihinde {{email}} adresine bir e-posta gönderdik. E-postadaki düğmeye tıklanana kadar yanıtlar kendi adresinize gelir.',
  unasked: '{{email}} adresine henüz bağlantı gönderilmedi. Doğrulanana kadar yanıtlar kendi adresinize gelir.',
  again: 'Yeniden Gönder',
  send: 'Bağlantıyı Gönder',
  sent: 'Bağlantı {{email}} adresine gönderildi',
  notSent: 'Bağlantı gönderilemedi',
} satisfies Texts<typeof en>;
