import type { Texts } from '../../../shared/preferences/language';
import type en from './en';

export default {
  title: '{{zone}}: ayrılma',
  titlePlain: 'Bir bölgeden ayrılma',
  loading: 'Bölge aranıyor…',
  leave: {
    title: '“{{zone}}” bölgesinden ayrılınsın mı?',
    text: 'Bir bölgenin üyeleri tüm e-postalarını alır. Durdurmak için bölgeden ayrılın.',
    action: 'Bölgeden ayrıl',
    onlyMails: 'E-posta almadan kal',
    noMails: 'Bu bölgenin e-postalarını almıyorsunuz.',
    agree: 'Kabul et ve e-posta al',
    failed: 'Bölgeden ayrılınamadı',
  },
  confirm: {
    title: 'Emin misiniz?',
    textPublic:
      '“{{zone}}” bölgesinin dosyaları size kapanır, e-postaları durur. Herkese açık bağlantısıyla yeniden katılabilirsiniz.',
    textPrivate:
      '“{{zone}}” bölgesinin dosyaları size kapanır, e-postaları durur. Ancak yeni bir davetle geri dönebilirsiniz.',
    action: 'Evet, bölgeden ayrıl',
    stay: 'Bölgede kal',
  },
  left: {
    title: '“{{zone}}” bölgesinden ayrıldınız',
    text: 'Artık bu bölgenin e-postalarını almayacaksınız.',
    mistake: 'Yanlışlıkla mı oldu? {{date}} tarihine kadar buradan geri alabilirsiniz.',
    undo: 'Bölgeye geri dön',
    rejoinPublic: 'Bölgenin herkese açık bağlantısıyla yeniden katılabilirsiniz.',
    rejoinPrivate: 'Bölge sahibinin yeni bir davetiyle geri dönebilirsiniz.',
  },
  gone: {
    title: 'Bu bölge artık yok',
    text: 'Artık e-postalarını almayacaksınız. Yapmanız gereken başka bir şey yok.',
  },
  invalid: {
    title: 'Abonelikten çıkma bağlantısı geçersiz veya süresi dolmuş',
    text: 'Lütfen bölgenin e-postalarından birindeki bağlantıyı yeniden açın.',
    home: 'Ana sayfaya git',
  },
} satisfies Texts<typeof en>;
