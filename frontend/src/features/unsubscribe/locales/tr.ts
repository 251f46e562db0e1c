import type { Texts } from '../../../shared/preferences/language';
import type en from './en';

export default {
  title: '{{zone}}: ayrılma',
  titlePlain: 'Bir bölgeden ayrılma',
  loading: 'Bölge yükleniyor…',
  leave: {
    title: '“{{zone}}” bölgesinden ayrılınsın mı?',
    text: 'Bir bölgenin üyeleri tüm e-postalarını alır. E-posta almak istemiyorsanız bölgeden ayrılın.',
    action: 'Bölgeden Ayrıl',
    onlyMails: 'E-posta Almadan Kal',
    noMails: 'Bu bölgenin e-postalarını almıyorsunuz.',
    agree: 'Kabul Et ve E-posta Al',
    failed: 'Bölgeden ayrılınamadı',
  },
  confirm: {
    title: 'Emin misiniz?',
    textPublic:
      '“{{zone}}” bölgesindeki dosyalara erişiminiz sona erer ve e-postalarını artık almazsınız. Herkese açık bağlantısıyla yeniden katılabilirsiniz.',
    textPrivate:
      '“{{zone}}” bölgesindeki dosyalara erişiminiz sona erer ve e-postalarını artık almazsınız. Geri dönmek için yeni bir davete ihtiyacınız olur.',
    action: 'Evet, Bölgeden Ayrıl',
    stay: 'Bölgede Kal',
  },
  left: {
    title: '“{{zone}}” bölgesinden ayrıldınız',
    text: 'Artık bu bölgenin e-postalarını almayacaksınız.',
    mistake: 'Yanlışlıkla mı ayrıldınız? {{date}} tarihine kadar buradan geri alabilirsiniz.',
    undo: 'Bölgeye Geri Dön',
    rejoinPublic: 'Bölgenin herkese açık bağlantısıyla yeniden katılabilirsiniz.',
    rejoinPrivate: 'Geri dönmek için bölge sahibinin sizi yeniden davet etmesi gerekir.',
  },
  gone: {
    title: 'Bu bölge artık yok',
    text: 'Artık bu bölgenin e-postalarını almayacaksınız. Başka bir şey yapmanız gerekmez.',
  },
  invalid: {
    title: 'Abonelikten çıkma bağlantısı geçersiz veya süresi dolmuş',
    text: 'Lütfen bölgenin e-postalarından birindeki bağlantıyı yeniden açın.',
    home: 'Ana Sayfaya Git',
  },
} satisfies Texts<typeof en>;
