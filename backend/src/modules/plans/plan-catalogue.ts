import { GIB, MIB } from '../../platform/text/byte-units.js';
import { freezeList } from '../../platform/constants/freeze-list.js';
import { planChoices } from '../../platform/config/billing.variables.js';

/** The plans: the only source of their names, prices, limits and features. Sizes in bytes, prices in cents (USD). */

export const planIds = planChoices;
export type PlanId = (typeof planIds)[number];

/** The plans that can be bought. Free costs nothing, and enterprise is by agreement. */
export const soldPlanIds = freezeList(['starter', 'creator', 'pro-creator']);
export type SoldPlanId = (typeof soldPlanIds)[number];

export const billingIntervals = freezeList(['monthly', 'yearly']);
export type BillingInterval = (typeof billingIntervals)[number];

/** Metered resources. `mails` counts per calendar month (UTC); the others have one row for all time. */
export const metrics = freezeList(['zones', 'people', 'bytes', 'mails']);
export type Metric = (typeof metrics)[number];

/**
 * Everything a plan limits: the metrics, and the daily number of emails to non-members (invitations, joins by link).
 */
export const limitNames = freezeList([...metrics, 'invites']);
export type LimitName = (typeof limitNames)[number];

/** null means unlimited, or agreed individually. */
export type PlanLimits = Record<LimitName, number | null>;

/** Features of a plan besides its limits; the page provides the text. */
export const planFeatures = freezeList(['links', 'folders', 'campaigns', 'statistics', 'agreedLimits', 'contact']);
export type PlanFeature = (typeof planFeatures)[number];

export interface Plan {
  readonly id: PlanId;
  readonly name: string;
  readonly monthlyPrice: number | null;
  readonly yearlyPrice: number | null;
  readonly limits: PlanLimits;
  /** Maximum size of one file, in bytes; an installation may allow less (`MAX_FILE_SIZE`). */
  readonly maxFileBytes: number;
  readonly features: readonly PlanFeature[];
  /** The plan that most customers choose. */
  readonly popular: boolean;
}

/** A year costs this many months. */
const PAID_MONTHS_PER_YEAR = 10;
const commonFeatures: readonly PlanFeature[] = ['links', 'folders', 'campaigns', 'statistics'];

const definePlan = (
  id: PlanId,
  name: string,
  monthlyPrice: number | null,
  maxFileBytes: number,
  limits: PlanLimits,
): Plan => ({
  id,
  name,
  monthlyPrice,
  yearlyPrice: monthlyPrice === null ? null : monthlyPrice * PAID_MONTHS_PER_YEAR,
  limits,
  maxFileBytes,
  features: id === 'enterprise' ? [...commonFeatures, 'agreedLimits', 'contact'] : commonFeatures,
  popular: id === 'creator',
});

export const plans: readonly Plan[] = freezeList([
  definePlan('free', 'Always Free', 0, 100 * MIB, { zones: 1, people: 100, bytes: GIB, mails: 100, invites: 100 }),
  definePlan('starter', 'Starter', 399, 2 * GIB, { zones: 5, people: 1000, bytes: 5 * GIB, mails: 3000, invites: 500 }),
  definePlan('creator', 'Creator', 799, 5 * GIB, {
    zones: 15,
    people: 5000,
    bytes: 25 * GIB,
    mails: 15_000,
    invites: 2000,
  }),
  definePlan('pro-creator', 'Pro Creator', 1499, 10 * GIB, {
    zones: 100,
    people: 25_000,
    bytes: 100 * GIB,
    mails: 75_000,
    invites: 10_000,
  }),
  definePlan('enterprise', 'Enterprise', null, 50 * GIB, {
    zones: null,
    people: null,
    bytes: null,
    mails: null,
    invites: null,
  }),
]);

/** Returns a plan by id; unknown ids fall back to free. */
export function getPlan(id: string): Plan {
  return plans.find((plan) => plan.id === id) ?? plans[0]!;
}
