import type { Texts } from '../../../shared/preferences/language';
import type en from './en';

export default {
  back: 'Dosyalara dön',
  loading: 'Yükleniyor…',
  page: 'Sayfa {{page}}',
  position: 'Sayfa {{page}} / {{count}}',
  pages: '{{name}} sayfaları',
  previous: 'Önceki dosya',
  next: 'Sonraki dosya',
  download: 'İndir',
  retry: 'Tekrar Dene',
  failed: 'Dosya yüklenemedi',
  pageFailed: 'Sayfa {{page}} gösterilemedi',
  notFound: 'Bu dosya artık burada değil',
  gone: {
    title: 'Bu dosya artık sizinle paylaşılmıyor',
    text: 'Burada kapatıldı. Hâlâ erişebildikleriniz ilk sayfanızda.',
    home: 'İlk Sayfanıza Gidin',
  },
  signedOut: 'Oturumunuz kapatıldı',
  none: 'Önizleme yok - Görmek için dosyayı indirin',
  noneNoDownload: 'Önizleme yok',
  empty: 'Bu dosya boş',
  cut: 'Yalnızca ilk {{size}} gösteriliyor. Tamamını okumak için dosyayı indirin.',
  waiting: {
    title: 'Bu belge hazırlanıyor',
    text: 'Sayfaları çiziliyor. Burada kendiliğinden görünecekler.',
    long: 'Her zamankinden uzun sürüyor. Beklemeniz gerekmez: sayfalar bir dahaki sefere saklanır.',
  },
  failure: {
    damaged: 'Bu belge hasarlı ve gösterilemiyor',
    empty: 'Bu belge boş',
    locked: 'Bu belge bir parolayla kilitlenmiş',
    'too-large': 'Bu belge burada gösterilemeyecek kadar büyük',
    'too-many-pages': 'Bu belgede 10.000’den fazla sayfa var; burada gösterilemeyecek kadar çok',
    'too-slow': 'Bu belgenin çizilmesi çok uzun sürüyor',
    unsupported: 'Bu belge, burada gösterilemeyen bir yöntemle korunuyor',
    'wrong-type': 'Bu dosya PDF olduğunu söylüyor ama değil',
  },
} satisfies Texts<typeof en>;
