/** Texts of the Billing tab. */
export default {
  failed: 'Faturalama yüklenemedi.',
  notConfigured: 'Plan satışı kapalı: Stripe anahtarı (STRIPE_SECRET_KEY) girilmemiş.',
  noEvents:
    'Stripe ödemeleri bildiremiyor: STRIPE_WEBHOOK_SECRET ayarlı değil, bu yüzden her olay 503 koduyla reddediliyor.',
  last: 'Son olay: {{when}}',
  never: 'Stripe’tan henüz olay gelmedi.',
  several:
    'Bu kişiler birden fazla kez ödeme yapıyor. Biri dışındaki aboneliklerini Stripe’ta sonlandırın ve fazla ödemeleri iade edin.',
  severalList: 'Birden fazla aboneliği olanlar',
  live_one: '({{count}} etkin abonelik)',
  live_other: '({{count}} etkin abonelik)',
  refused_one:
    'Son 30 günde Stripe webhook’una gelen {{formatted}} ileti imzası yüzünden reddedildi ({{when}}). STRIPE_WEBHOOK_SECRET değerini Stripe’taki ile karşılaştırın.',
  refused_other:
    'Son 30 günde Stripe webhook’una gelen {{formatted}} ileti imzası yüzünden reddedildi, sonuncusu {{when}}. STRIPE_WEBHOOK_SECRET değerini Stripe’taki ile karşılaştırın.',
  events: 'Stripe Olayları',
  eventsFailed: 'Olaylar yüklenemedi.',
  empty: 'Henüz olay yok',
  emptyText: 'Stripe’ın abonelik ve ödeme olayları 90 gün boyunca burada listelenir.',
  search: 'Tam olay türü veya kimliği',
  type: 'Olay',
  outcome: 'Sonuç',
  anyOutcome: 'Tüm sonuçlar',
  outcomes: { taken: 'İşlendi', 'unknown-type': 'Burada kullanılmıyor', 'unknown-customer': 'Bilinmeyen müşteri' },
  person: 'Kişi',
  received: 'Alındığı zaman',
  figures: {
    failed: 'İstatistikler yüklenemedi.',
    plans: 'Planlar',
    plansText: 'Şu anda planlara göre kişi sayısı',
    people: 'Kişi',
    month: 'Ay',
    revenue: 'Gelir',
    revenueText: 'Aylara göre alınan ödemeler (UTC)',
    churn: 'Başlayan ve Bitenler',
    churnText: 'Aylara göre başlayan ve biten abonelikler (UTC)',
    rate: 'Aylara göre abonelikler (UTC). Bu ayın başındaki aboneliklerin {{rate}} kadarı sona erdi.',
    started: 'Başlayan',
    ended: 'Biten',
    empty: 'Henüz bir şey yok',
  },
};
