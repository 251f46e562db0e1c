import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { $api } from '../../shared/api/client';
import { useCurrentUser } from '../../shared/api/current-user';
import { useTitle } from '../../shared/hooks/use-title';
import { PlainError } from '../../shared/plain/plain-error';
import { PublicFrame } from '../../shared/plain/public-frame';
import { usePlanAbilities, useSubscription } from '../../shared/plan/use-subscription';
import { Enterprise } from './components/enterprise';
import { Faq } from './components/faq';
import { IntervalSwitch } from './components/interval-switch';
import { PlanCard } from './components/plan-card';
import { PaymentNotice } from './components/payment-notice';
import { useCheckout, type Interval, type Plan } from './use-checkout';
import './pricing.css';

/** /pricing: what the plans cost and hold. */
export function PricingPage() {
  const { t } = useTranslation('billing');
  const { data: plans, error, refetch } = $api.useQuery('get', '/api/plans');
  const [interval, setInterval] = useInterval();
  useTitle(t('title'));
  return (
    <PublicFrame>
      <header className="z-pricing-head">
        <h1>{t('headline')}</h1>
        <p className="z-second">{t('lead')}</p>
        <IntervalSwitch value={interval} onChange={setInterval} />
      </header>
      {error && <PlainError error={error} onRetry={refetch} />}
      {!error && (plans ? <Plans plans={plans} interval={interval} /> : <Skeleton />)}
      <Faq />
    </PublicFrame>
  );
}

/** The interval stands in the address, so that it outlasts signing in; otherwise it is the one that is paid for. */
function useInterval(): [Interval, (interval: Interval) => void] {
  const [search, setSearch] = useSearchParams();
  const paid = useSubscription().data?.subscription?.billingInterval;
  const chosen = (['monthly', 'yearly'] as const).find((one) => one === search.get('interval'));
  // The address follows a moment later; until then the switch would jump back.
  const [pressed, setPressed] = useState<Interval | null>(null);
  const change = (interval: Interval) => {
    setPressed(interval);
    setSearch({ interval }, { replace: true });
  };
  return [pressed ?? chosen ?? paid ?? 'monthly', change];
}

function Plans({ plans, interval }: { plans: Plan[]; interval: Interval }) {
  const { t } = useTranslation('billing');
  const { data: user } = useCurrentUser();
  const { data: status } = useSubscription();
  const can = usePlanAbilities();
  const checkout = useCheckout();
  const present = user ? (status?.plan ?? user.plan) : null;
  const nothingSold = plans.every(({ intervals }) => intervals.length === 0);
  const mayBuy = (id: Plan['id']) => !user || (status ? status.can.buy.some((one) => one === id) : can.upgrade);
  const enterprise = plans.find(({ id }) => id === 'enterprise');
  return (
    <>
      <PaymentNotice />
      {nothingSold && <p className="z-notice z-notice-warning z-pricing-notice">{t('notSold')}</p>}
      <ul className="z-plans">
        {plans
          .filter(({ id }) => id !== 'enterprise')
          .map((plan) => (
            <PlanCard
              key={plan.id}
              plan={plan}
              interval={interval}
              present={present}
              mayBuy={mayBuy(plan.id)}
              superAdmin={user?.isSuperAdmin ?? false}
              subscribed={Boolean(status?.subscription)}
              paidInterval={status?.heldBy === 'subscription' ? status.subscription?.billingInterval : null}
              busy={checkout.busyWith === plan.id}
              onChoose={() => checkout.choose(plan.id, interval)}
            />
          ))}
      </ul>
      {enterprise && <Enterprise plan={enterprise} present={present === 'enterprise'} />}
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
