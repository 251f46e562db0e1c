export default {
  label: 'İlginizi bekleyenler',
  failedToLoad: 'İlginizi bekleyenler yüklenemedi',
  failed_one: '{{sender}} kaynaklı {{formatted}} sipariş başarısız oldu (ilki: {{when}}).',
  failed_other: '{{sender}} kaynaklı {{formatted}} sipariş başarısız oldu (ilki: {{when}}).',
  waiting_one: '{{sender}} kaynaklı {{formatted}} sipariş dolu bir bölgede yer bekliyor (ilki: {{when}}).',
  waiting_other: '{{sender}} kaynaklı {{formatted}} sipariş dolu bir bölgede yer bekliyor (ilki: {{when}}).',
  silent: '{{sender}} {{when}} tarihinden beri bir şey göndermedi; bu, her zamankinin üç katından uzun bir süre.',
  senders: { woocommerce: 'WooCommerce', acedumy: 'AcEdumy', 'stripe-acedumy': 'Stripe (AcEdumy)' },
  open: 'Aç',
  openOf: '{{sender}} teslimatlarını aç',
};
