import type { Texts } from '../../../../shared/preferences/language';
import type en from './en';

export default {
  title: 'Dosyalar',
  description: 'Sahibi olduğunuz tüm bölgelerdeki dosyalar.',
  figures: {
    label: 'İstatistikler',
    totalZones: 'Toplam Bölge',
    totalFiles: 'Toplam Dosya',
    totalStorage: 'Toplam Depolama',
  },
  figuresFailed: 'İstatistikler yüklenemedi',
  failed: 'Bölgeleriniz yüklenemedi',
  filesFailed: 'Bu bölgenin dosyaları yüklenemedi',
  count_one: '{{formatted}} dosya',
  count_other: '{{formatted}} dosya',
  none: 'Henüz dosya yok',
  more: 'Daha Fazla Göster',
  moreOf: 'Daha fazla dosya göster: {{zone}}',
  open: 'Bölgeyi Aç',
  openZone: 'Bölgeyi Aç: {{zone}}',
  view: 'Görüntüle',
  viewFile: 'Görüntüle: {{name}}',
  download: 'İndir',
  downloadFile: 'İndir: {{name}}',
  empty: {
    title: 'Henüz dosya yok',
    text: 'Dosyalar bölgelerde saklanır. İlk dosyalarınızı yüklemek için bir bölge oluşturun.',
    action: 'Bölgelerime Git',
  },
} satisfies Texts<typeof en>;
