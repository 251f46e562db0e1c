/** Texts of the Billing tab. */
export default {
  failed: 'Couldn’t load billing.',
  notConfigured: 'Plans aren’t sold on this site: STRIPE_SECRET_KEY isn’t set.',
  noEvents:
    'Stripe can’t report payments: STRIPE_WEBHOOK_SECRET isn’t set, so every event is rejected with status 503.',
  last: 'Last event {{when}}',
  never: 'No events received from Stripe yet.',
  several:
    'These people pay more than once. Cancel all but one of their subscriptions in Stripe, and refund the extra payments.',
  severalList: 'People with several subscriptions',
  live_one: '({{count}} active subscription)',
  live_other: '({{count}} active subscriptions)',
  refused_one:
    '{{formatted}} delivery to the Stripe webhook was rejected because of its signature in the last 30 days ({{when}}). Compare STRIPE_WEBHOOK_SECRET with the secret in Stripe.',
  refused_other:
    '{{formatted}} deliveries to the Stripe webhook were rejected because of their signatures in the last 30 days, most recently {{when}}. Compare STRIPE_WEBHOOK_SECRET with the secret in Stripe.',
  events: 'Stripe Events',
  eventsFailed: 'Couldn’t load the events.',
  empty: 'No events yet',
  emptyText: 'Stripe’s events about subscriptions and payments are listed here for 90 days.',
  search: 'Full event type or ID',
  type: 'Event',
  outcome: 'Outcome',
  anyOutcome: 'All outcomes',
  outcomes: { taken: 'Processed', 'unknown-type': 'Not used here', 'unknown-customer': 'Unknown customer' },
  person: 'Person',
  received: 'Received',
  figures: {
    failed: 'Couldn’t load the statistics.',
    plans: 'Plans',
    plansText: 'People by current plan',
    people: 'People',
    month: 'Month',
    revenue: 'Revenue',
    revenueText: 'Payments received, by month (UTC)',
    churn: 'Started and Ended',
    churnText: 'Subscriptions that started and ended, by month (UTC)',
    rate: 'Subscriptions by month (UTC). {{rate}} of those at the start of this month have ended.',
    started: 'Started',
    ended: 'Ended',
    empty: 'Nothing yet',
  },
};
