import { parseChoice, parseInteger, parseSecret, parseText, parseUrl } from './parsers.js';
import { freezeList } from '../constants/freeze-list.js';
import { optional, variable, type Variable } from './variable.js';

/** Plan ids from smallest to largest; the plans module defines what each includes. */
export const planChoices = freezeList(['free', 'starter', 'creator', 'pro-creator', 'enterprise']);

/** A Stripe price id; without it the plan is not sold in that interval. */
function priceVariable(name: string, plan: string): Variable<string | null> {
  return variable(name, parseText(1, 255), optional, `Stripe price id: ${plan}.`, 'not sold');
}

/** A Stripe price id of the premium service; the log uses it to name the plan. */
function premiumPriceVariable(name: string, plan: string): Variable<string | null> {
  return variable(name, parseText(1, 255), optional, `Stripe price id of the premium service: ${plan}.`, 'not named');
}

/** Variables of Stripe and of the shops whose purchases give access to zones. */
export const billingVariables = {
  defaultPlan: variable(
    'DEFAULT_PLAN',
    parseChoice(...planChoices),
    null as (typeof planChoices)[number] | null,
    'Plan of accounts without a larger one, in a service for other creators; the same for every process. (Page)',
    'free',
  ),
  stripeSecretKey: variable(
    'STRIPE_SECRET_KEY',
    parseSecret(8),
    optional,
    'Secret key of the Stripe account that sells plans.',
    'plans can’t be bought',
  ),
  stripeWebhookSecret: variable(
    'STRIPE_WEBHOOK_SECRET',
    parseSecret(8),
    optional,
    'Signing secret of the Stripe webhook at /api/webhooks/stripe.',
    'the webhook answers 503',
  ),
  stripeApiUrl: variable('STRIPE_API_URL', parseUrl('http:', 'https:'), optional, 'Stripe emulator.', 'Stripe'),
  stripePriceStarterMonthly: priceVariable('STRIPE_PRICE_STARTER_MONTHLY', 'Starter, monthly'),
  stripePriceStarterYearly: priceVariable('STRIPE_PRICE_STARTER_YEARLY', 'Starter, yearly'),
  stripePriceCreatorMonthly: priceVariable('STRIPE_PRICE_CREATOR_MONTHLY', 'Creator, monthly'),
  stripePriceCreatorYearly: priceVariable('STRIPE_PRICE_CREATOR_YEARLY', 'Creator, yearly'),
  stripePriceProCreatorMonthly: priceVariable('STRIPE_PRICE_PRO_CREATOR_MONTHLY', 'Pro Creator, monthly'),
  stripePriceProCreatorYearly: priceVariable('STRIPE_PRICE_PRO_CREATOR_YEARLY', 'Pro Creator, yearly'),
  stripePromotionCodes: variable(
    'STRIPE_PROMOTION_CODES',
    parseChoice('on', 'off'),
    'off' as const,
    'Whether a promotion code can be entered at the checkout.',
    'off',
  ),
  stripeAutomaticTax: variable(
    'STRIPE_AUTOMATIC_TAX',
    parseChoice('on', 'off'),
    'off' as const,
    'Whether Stripe Tax calculates taxes at the checkout; set it up at Stripe first.',
    'off',
  ),
  stripeTaxIds: variable(
    'STRIPE_TAX_IDS',
    parseChoice('on', 'off'),
    'off' as const,
    'Whether the checkout asks companies for their tax id.',
    'off',
  ),
  woocommerceWebhookSecret: variable(
    'WOOCOMMERCE_WEBHOOK_SECRET',
    parseSecret(8),
    optional,
    'Secret of the shop’s webhook at /api/webhooks/woocommerce.',
    'the webhook answers 503',
  ),
  acedumyWebhookSecret: variable(
    'ACEDUMY_WEBHOOK_SECRET',
    parseSecret(8),
    optional,
    'Secret of the premium service’s webhook at /api/webhooks/acedumy.',
    'the webhook answers 503',
  ),
  acedumyZoneId: variable(
    'ACEDUMY_ZONE_ID',
    parseInteger(1, Number.MAX_SAFE_INTEGER),
    null as number | null,
    'Id of the zone that the premium service opens.',
    'its deliveries fail until it is set',
  ),
  stripeAcedumyWebhookSecret: variable(
    'STRIPE_ACEDUMY_WEBHOOK_SECRET',
    parseSecret(8),
    optional,
    'Signing secret of the Stripe webhook at /api/webhooks/stripe-acedumy.',
    'the webhook answers 503',
  ),
  stripeAcedumyPriceMonthlyUsd: premiumPriceVariable('STRIPE_ACEDUMY_PRICE_MONTHLY_USD', 'Monthly USD'),
  stripeAcedumyPriceYearlyUsd: premiumPriceVariable('STRIPE_ACEDUMY_PRICE_YEARLY_USD', 'Yearly USD'),
  stripeAcedumyPriceMonthlyTry: premiumPriceVariable('STRIPE_ACEDUMY_PRICE_MONTHLY_TRY', 'Monthly TRY'),
  stripeAcedumyPriceYearlyTry: premiumPriceVariable('STRIPE_ACEDUMY_PRICE_YEARLY_TRY', 'Yearly TRY'),
} satisfies Record<string, Variable<unknown>>;
