import type { Texts } from '../../../shared/preferences/language';
import type en from './welcome.en';

export default {
  title: 'Karşılama E-postası',
  text: 'Bu bölgeye katılıp e-postaları kabul eden herkese bir kez gönderilir. Bu ayki e-posta sınırınıza dahildir.',
  enabled: 'Yeni üyelere gönder',
  on: 'Yeni üyeler karşılama e-postası alacak',
  off: 'Yeni üyeler karşılama e-postası almayacak',
  subject: 'Konu: {{subject}}',
  edit: 'Karşılama E-postasını Düzenle',
  report: 'Sonuçları Gör',
  save: 'Karşılama E-postasını Kaydet',
  saved: 'Karşılama e-postası kaydedildi',
  failed: 'Karşılama e-postası kaydedilemedi',
  skipped_one: 'Bu ayki e-posta sınırı dolduğu için {{formatted}} yeni üye karşılama e-postası almadı.',
  skipped_other: 'Bu ayki e-posta sınırı dolduğu için {{formatted}} yeni üye karşılama e-postası almadı.',
} satisfies Texts<typeof en>;
