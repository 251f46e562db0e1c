import type { Texts } from '../../../shared/preferences/language';
import type en from './accept-en';

export default {
  title: '“{{zone}}” bölgesine katılın',
  tab: 'Davet',
  loading: 'Davetiniz kontrol ediliyor…',
  invited: '{{name}} sizi bu bölgeye davet ediyor.',
  invitedBy: 'Bu bölgeye davetlisiniz.',
  forAddress: 'Davet {{email}} adresi içindir.',
  consent: 'Kabul ettiğinizde şunları onaylarsınız:',
  accept: 'Daveti Kabul Et',
  accepting: 'Kabul ediliyor…',
  joined: 'Bölgeye katıldınız',
  redirect: 'Birazdan yönlendirileceksiniz.',
  continue: 'Devam Et',
  already: 'Zaten Üyesiniz',
  alreadyText: 'Zaten bu bölgenin üyesisiniz.',
  invalid: 'Geçersiz Davet',
  invalidText: 'Bu davet bağlantısı geçersiz veya süresi dolmuş',
  loadFailed: 'Davet ayrıntıları yüklenemedi',
  joinFailed: 'Bölgeye katılınamadı',
  toAuth: 'Giriş Sayfasına Git',
  other: 'Bu davet {{email}} adresi için; siz {{own}} olarak giriş yaptınız.',
  otherText: 'Çıkış yapıp daveti yeniden açın.',
  signOut: 'Çıkış Yap',
} satisfies Texts<typeof en>;
