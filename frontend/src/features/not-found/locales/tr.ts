import type { Texts } from '../../../shared/preferences/language';
import type en from './en';

export default {
  title: 'Sayfa bulunamadı',
  text: 'Bu adreste bir şey yok. Taşınmış ya da bağlantı eksik olabilir.',
  zoneTitle: 'Alanlara bu yoldan ulaşılamaz',
  zoneText: 'Bir alan bu adresten doğrudan açılamaz. Sizinle paylaşılan alanların listesinden açın.',
  zoneRedirectShared: '3 saniye içinde sizinle paylaşılan alanlara yönlendirileceksiniz.',
  zoneRedirectLogin: '3 saniye içinde giriş sayfasına yönlendirileceksiniz.',
  home: 'Ana sayfa',
  dashboard: 'Panel',
  shared: 'Benimle Paylaşılanlar',
  login: 'Giriş Yap',
} satisfies Texts<typeof en>;
