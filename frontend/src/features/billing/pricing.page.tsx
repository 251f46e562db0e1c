import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { $api } from '../../shared/api/client';
import { useCurrentUser } from '../../shared/api/current-user';
import { useTitle } from '../../shared/hooks/use-title';
import { PublicError } from '../../shared/public-ui/public-error';
import { PublicFrame } from '../../shared/public-ui/public-frame';
import { usePlanAbilities, useSubscription } from '../../shared/plan/use-subscription';
import { EnterprisePlanCard } from './components/enterprise-plan-card';
import { Faq } from './components/faq';
import { IntervalSwitch } from './components/interval-switch';
import { PlanCard } from './components/plan-card';
import { findSharedFeatures, SharedFeatures } from './components/plan-features';
import { PaymentNotice } from './components/payment-notice';
import { useCheckout, type BillingInterval, type Plan } from './use-checkout';
import './pricing.css';

/** /pricing: prices and features of the plans. */
export function PricingPage() {
  const { t } = useTranslation('billing');
  const { data: plans, error, refetch } = $api.useQuery('get', '/api/plans');
  const [interval, setInterval] = useBillingInterval();
  useTitle(t('title'));
  return (
    <PublicFrame>
      <header className="z-pricing-head">
        <h1>{t('headline')}</h1>
        <p className="z-second">{t('lead')}</p>
        <IntervalSwitch value={interval} onChange={setInterval} />
      </header>
      {error && <PublicError error={error} onRetry={refetch} />}
      {!error && (plans ? <PlanList plans={plans} interval={interval} /> : <Skeleton />)}
      <Faq />
    </PublicFrame>
  );
}

/** Keeps the interval in the URL, so that it survives signing in; defaults to the one being paid for. */
function useBillingInterval(): [BillingInterval, (interval: BillingInterval) => void] {
  const [search, setSearch] = useSearchParams();
  const currentInterval = useSubscription().data?.subscription?.billingInterval;
  const intervalFromUrl = (['monthly', 'yearly'] as const).find((option) => option === search.get('interval'));
  // The URL updates with a delay; without this the switch would jump back.
  const [selectedInterval, setSelectedInterval] = useState<BillingInterval | null>(null);
  const change = (interval: BillingInterval) => {
    setSelectedInterval(interval);
    setSearch({ interval }, { replace: true });
  };
  return [selectedInterval ?? intervalFromUrl ?? currentInterval ?? 'monthly', change];
}

function PlanList({ plans, interval }: { plans: Plan[]; interval: BillingInterval }) {
  const { t } = useTranslation('billing');
  const { data: user } = useCurrentUser();
  const { data: status } = useSubscription();
  const abilities = usePlanAbilities();
  const checkout = useCheckout();
  const currentPlan = user ? (status?.plan ?? user.plan) : null;
  const isNothingForSale = plans.every(({ intervals }) => intervals.length === 0);
  const canBuy = (id: Plan['id']) =>
    !user || (status ? status.can.buy.some((option) => option === id) : abilities.upgrade);
  const sharedFeatures = findSharedFeatures(plans);
  const enterprise = plans.find(({ id }) => id === 'enterprise');
  return (
    <>
      <PaymentNotice />
      {isNothingForSale && <p className="z-notice z-notice-warning z-pricing-notice">{t('notSold')}</p>}
      <SharedFeatures features={sharedFeatures} />
      <ul className="z-plans">
        {plans
          .filter(({ id }) => id !== 'enterprise')
          .map((plan) => (
            <PlanCard
              key={plan.id}
              plan={plan}
              sharedFeatures={sharedFeatures}
              interval={interval}
              currentPlan={currentPlan}
              canBuy={canBuy(plan.id)}
              isSuperAdmin={user?.isSuperAdmin ?? false}
              hasSubscription={Boolean(status?.subscription)}
              paidInterval={status?.heldBy === 'subscription' ? status.subscription?.billingInterval : null}
              busy={checkout.pendingPlanId === plan.id}
              onChoose={() => checkout.startCheckout(plan.id, interval)}
            />
          ))}
      </ul>
      {enterprise && (
        <EnterprisePlanCard
          plan={enterprise}
          sharedFeatures={sharedFeatures}
          isCurrent={currentPlan === 'enterprise'}
        />
      )}
    </>
  );
}

function Skeleton() {
  const { t } = useTranslation();
  return (
    <div className="z-plans" aria-busy="true">
      <span className="z-visually-hidden">{t('loading')}</span>
      {[1, 2, 3, 4].map((n) => (
        <div key={n} className="z-skeleton z-plan-skeleton" aria-hidden="true" />
      ))}
    </div>
  );
}
