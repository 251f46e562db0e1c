export default {
  label: 'Needs your attention',
  failedToLoad: 'Couldn’t load what needs your attention',
  failed_one: '{{formatted}} order from {{sender}} has failed (since {{when}}).',
  failed_other: '{{formatted}} orders from {{sender}} have failed (since {{when}}).',
  waiting_one: '{{formatted}} order from {{sender}} is waiting for room in a full zone (since {{when}}).',
  waiting_other: '{{formatted}} orders from {{sender}} are waiting for room in a full zone (since {{when}}).',
  silent: 'Nothing received from {{sender}} since {{when}}, more than three times as long as usual.',
  senders: { woocommerce: 'WooCommerce', acedumy: 'AcEdumy', 'stripe-acedumy': 'Stripe (AcEdumy)' },
  open: 'Open',
  openOf: 'Open the deliveries from {{sender}}',
};
