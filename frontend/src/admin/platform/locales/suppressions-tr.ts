import type { Texts } from '../../../shared/preferences/language';
import type en from './suppressions-en';

export default {
  about:
    'Bu adreslere kampanya gönderilmez. Listede yalnızca adreslerin özetleri saklanır; bu yüzden adresler gösterilemez, ancak bir adresi arayabilirsiniz.',
  list: 'E-posta gönderilmeyen adresler',
  failed: 'Adresler yüklenemedi',
  empty: 'E-posta gönderilmeyen adres yok',
  emptyText:
    'Çok kez geri dönen, bir e-postayı spam olarak bildiren veya silinmiş bir hesaba ait olan adresler burada listelenir.',
  search: 'Tam bir e-posta adresi',
  scope: 'Kimden e-posta almıyor',
  everybody: 'Herkesten',
  reason: 'Neden',
  anyReason: 'Tüm nedenler',
  reasons: { failed: 'Çok kez geri döndü', complaint: 'Spam olarak bildirdi', erased: 'Hesabı silindi' },
  since: 'Ne zamandan beri',
  lift: 'Listeden Çıkar',
  lifted: 'Adrese yeniden e-posta gönderilecek',
  liftFailed: 'Adres listeden çıkarılamadı',
  choose: '{{id}} numaralı kaydı seç',
  chooseAll: 'Bu sayfadakilerin tümünü seç',
  chosen_one: '{{formatted}} adres seçildi',
  chosen_other: '{{formatted}} adres seçildi',
  clear: 'Seçimi Temizle',
  liftChosen: 'Seçilenleri Listeden Çıkar…',
  liftSince: 'Belirli Bir Tarihten Beri Geri Dönenleri Çıkar…',
  sinceDay: 'Şu tarihten beri geri dönenler',
  sinceHelp: 'Gün, UTC saatiyle 00.00’da başlar.',
  sinceRequired: 'Lütfen bir gün seçin',
  askChosen: 'Seçilen adreslere yeniden e-posta gönderilsin mi?',
  askSince: 'Belirli bir tarihten beri geri dönen tüm adreslere yeniden e-posta gönderilsin mi?',
  askText:
    'Bu adresler yeniden kampanya alır ve önceki hatalar artık sayılmaz. Bir e-postayı spam olarak bildiren veya silinmiş bir hesaba ait olan adresler listede kalır. Bu işlem denetim kaydına eklenir.',
  liftConfirm: 'Listeden Çıkar',
  liftedMany_one: '{{formatted}} adrese yeniden e-posta gönderilecek',
  liftedMany_other: '{{formatted}} adrese yeniden e-posta gönderilecek',
  liftedNone: 'Listeden çıkarılacak adres yoktu',
  liftManyFailed: 'Adresler listeden çıkarılamadı',
} satisfies Texts<typeof en>;
