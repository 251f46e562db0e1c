import type { Texts } from '../../../shared/preferences/language';
import type en from './en';

export default {
  title: 'Panel',
  description: 'Yeniden hoş geldiniz, {{name}}',
  createZone: 'Bölge Oluştur',
  figures: {
    label: 'Sayılar',
    totalZones: 'Toplam Bölge',
    totalFiles: 'Toplam Dosya',
    totalMembers: 'Toplam Üye',
    totalDownloads: 'İndirme',
  },
  zones: {
    title: 'Son Bölgeler',
    viewAll: 'Tümünü gör',
    empty: 'Henüz bölge yok',
    emptyText: 'Bölge, bir grup insanla paylaştığınız dosyaları bir arada tutar.',
    active: 'Etkin',
    folders_one: '{{formatted}} klasör',
    folders_other: '{{formatted}} klasör',
    files_one: '{{formatted}} dosya',
    files_other: '{{formatted}} dosya',
    members_one: '{{formatted}} üye',
    members_other: '{{formatted}} üye',
    updated: 'Güncelleme: {{date}}',
  },
  activity: { title: 'Son Etkinlikler', empty: 'Yakın zamanda etkinlik yok' },
  errors: {
    figures: 'Sayılar yüklenemedi',
    zones: 'Bölgeleriniz yüklenemedi',
    activity: 'Etkinlikler yüklenemedi',
  },
} satisfies Texts<typeof en>;
