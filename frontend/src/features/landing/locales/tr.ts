import type { Texts } from '../../../shared/preferences/language';
import type en from './en';

export default {
  headline: 'Belgelerinizi sizi izleyenlerle paylaşın',
  lead: 'Dosyalarınızı bölgelerde toplayın, insanları tek bir bağlantıyla davet edin, içeride kimlerin olduğunu bilin. Video üreticileri, eğitmenler, koçlar ve yazarlar için.',
  start: 'Kitlenizi oluşturmaya başlayın',
  dashboard: 'Panelim',
  note: 'Ücretsiz plan için ödeme yapılmaz, kart bilgisi istenmez.',
  how: {
    title: 'Nasıl çalışır',
    zone: {
      title: 'Bir bölge oluşturun',
      text: 'Bölge, birbirine ait dosya ve klasörleri bir arada tutar. Gizlidir ya da bağlantıyı bilen herkese açıktır.',
    },
    share: {
      title: 'Tek bir bağlantı paylaşın',
      text: 'Bağlantıyı açan kişi e-posta adresini yazar, iletilerinizi almayı kabul eder ve tek tıklamayla onaylar.',
    },
    read: {
      title: 'Okusunlar, indirsinler',
      text: 'Dosyalarınız tarayıcıda açılır. Hiçbir şey herkese açık değildir: her dosya önce kimin istediğine bakar.',
    },
  },
  sample: {
    label: 'Üç dosyalı örnek bir bölge',
    name: 'Suluboya kursu',
    members: '128 üye',
    files: { first: '1. Hafta – Fırçalar ve kâğıt.pdf', second: '2. Hafta – Yıkamalar.mp4', third: 'Renk tablosu.png' },
  },
} satisfies Texts<typeof en>;
