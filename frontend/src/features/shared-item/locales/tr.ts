import type { Texts } from '../../../shared/preferences/language';
import type en from './en';

export default {
  title: 'Sizinle Paylaşıldı',
  loading: 'Yükleniyor…',
  sharedBy: '{{name}} sizinle bir içerik paylaştı',
  sharedByShort: 'Paylaşan: {{name}}',
  ownerUnknown: 'paylaşan kişi',
  asks: {
    nothing: 'Görmek için bağlantıyı açın. Hesap gerekmez.',
    password: 'Görmek için bağlantı parolasını girin. Hesap gerekmez.',
    email: 'Görmek için e-posta adresinizi girin. Hesap gerekmez.',
    both: 'Görmek için bağlantı parolasını ve e-posta adresinizi girin. Hesap gerekmez.',
  },
  until: '{{date}} tarihine kadar açık',
  password: 'Bağlantı parolası',
  passwordHelp: 'Parolayı bağlantıyı size veren kişiden öğrenebilirsiniz.',
  passwordRequired: 'Lütfen bağlantı parolasını girin',
  email: 'E-posta adresi',
  emailHelp:
    'Açtıklarınız ve indirdiklerinizle birlikte yalnızca paylaşana gösterilir: {{name}}. Size e-posta gönderilmez.',
  emailRequired: 'E-posta zorunludur',
  emailInvalid: 'Geçersiz e-posta',
  open: 'Aç',
  opening: 'Açılıyor…',
  notFound: {
    title: 'Bu bağlantı bir yere ulaşmıyor',
    text: 'Süresi dolmuş, kapatılmış veya paylaşılan içerik kaldırılmış olabilir. Lütfen bağlantıyı veren kişiden yenisini isteyin.',
  },
  usedUp: {
    title: 'Bu bağlantı kullanım sınırına ulaştı',
    text: 'İzin verilen sayıda kişi tarafından kullanıldı. Lütfen bağlantıyı veren kişiden yenisini isteyin.',
  },
  home: 'Ana Sayfaya Git',
  content: 'Dosyalar ve klasörler',
  path: 'Üst klasörler',
  empty: 'Bu klasör boş.',
  more: 'Daha Fazla Göster',
  download: '{{name}} dosyasını indir',
  downloadAll: 'Tümünü İndir',
  folderGone: 'Bu klasör artık paylaşılmıyor',
  toRoot: '{{name}} klasörüne git',
} satisfies Texts<typeof en>;
