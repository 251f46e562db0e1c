import type { Texts } from '../../../shared/preferences/language';
import type en from './en';

export default {
  title: 'Arama ve komutlar',
  field: 'Arayın veya bir sayfaya gidin…',
  groups: {
    zones: 'Bölgeler',
    found: 'Dosyalar ve klasörler',
    texts: 'Belgelerin içinde',
    pages: 'Sayfalar',
    actions: 'İşlemler',
  },
  results: 'Sonuçlar',
  count_one: '{{formatted}} sonuç',
  count_other: '{{formatted}} sonuç',
  nothing: '“{{typed}}” için sonuç bulunamadı',
  failed: 'Dosyalarda arama yapılamadı',
  textsFailed: 'Belgelerin metninde arama yapılamadı',
  partial: 'Yalnızca en son değişen belgelerde arandı. Bir belgenin içinde aramak için belgeyi açın.',
  reading: 'Bazı belgeler hâlâ okunuyor. Birazdan daha fazla sonuç görünebilir.',
  searching: 'Aranıyor…',
  textDetail: 'Sayfa {{page}} · {{zone}} · {{around}}',
  mirrored: 'Ayna klasör - salt okunur',
  hint: 'Seçmek için ↑↓ · Açmak için Enter · Kapatmak için Esc',
  createZone: 'Bölge Oluştur',
  searchZone: '{{zone}} içinde “{{typed}}” ara',
  trash: '{{zone}} çöp kutusu',
  share: '{{zone}} bölgesini paylaş',
  zoneSettings: '{{zone}} ayarları',
  language: 'Switch to English',
  appearance: { light: 'Açık görünüm', dark: 'Koyu görünüm', system: 'Sistem görünümü' },
} satisfies Texts<typeof en>;
