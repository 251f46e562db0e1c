import type { Texts } from '../../../shared/preferences/language';
import type en from './en';

export default {
  title: 'Sayfa bulunamadı',
  text: 'Bu adreste bir şey yok. Sayfa taşınmış veya bağlantı eksik olabilir.',
  zoneTitle: 'Bölgelere bu yolla ulaşılamaz',
  zoneText: 'Bölgeler bu adresten doğrudan açılamaz. Bölgeyi, sizinle paylaşılan bölgelerin listesinden açın.',
  zoneRedirectShared: '3 saniye içinde sizinle paylaşılan bölgelere yönlendirileceksiniz.',
  zoneRedirectLogin: '3 saniye içinde giriş sayfasına yönlendirileceksiniz.',
  home: 'Ana Sayfa',
  dashboard: 'Panel',
  shared: 'Benimle Paylaşılanlar',
  login: 'Giriş Yap',
} satisfies Texts<typeof en>;
