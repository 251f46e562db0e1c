import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useSignedInUser } from '../../../shared/api/current-user';
import { useFormat } from '../../../shared/hooks/use-format';
import { languageNames, toLanguage } from '../../../shared/preferences/language';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { Facts } from '../../ui/facts';
import { SidePanel } from '../../ui/side-panel';
import { StateBadge } from './state-badge';
import { UserActions } from './user-actions';
import { UserConsents } from './user-consents';
import { calledName, roleOf, usageText, type User, type UserDetail } from './user';

/** One account with its figures, and what may be done with it. */
export function UserPanel({ user, onClose }: { user: User | null; onClose: () => void }) {
  return (
    <SidePanel
      open={user !== null}
      title={user ? calledName(user) : ''}
      badge={user && <Loaded id={user.id}>{(now) => <StateBadge user={now} />}</Loaded>}
      onClose={onClose}
    >
      {user && <Detail id={user.id} onGone={onClose} />}
    </SidePanel>
  );
}

const useDetail = (id: number) =>
  $api.useQuery('get', '/api/admin/users/{id}', { params: { path: { id } } }, { staleTime: 0 });

function Loaded({ id, children }: { id: number; children: (user: UserDetail) => React.ReactNode }) {
  const { data } = useDetail(id);
  return data ? children(data) : null;
}

function Detail({ id, onGone }: { id: number; onGone: () => void }) {
  const { t } = useTranslation('admin');
  const { isSuperAdmin } = useSignedInUser();
  const { data, error, refetch } = useDetail(id);
  if (error && !data) return <ErrorState title={t('users.detailFailed')} error={error} onRetry={refetch} />;
  if (!data) return <RowsSkeleton rows={8} />;
  return (
    <>
      <UserActions user={data} onGone={onGone} />
      <Account user={data} />
      <Usage user={data} />
      {isSuperAdmin && <UserConsents userId={id} />}
    </>
  );
}

function Account({ user }: { user: UserDetail }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const format = useFormat();
  const { email, username, plan, subscribedPlan, grantedPlan, language, timeZone } = user;
  const planName = (id: string) => common(`plans.${id as 'free'}`);
  return (
    <Facts
      label={t('users.facts')}
      facts={[
        [t('users.email'), email],
        [t('users.verified'), t(user.emailVerified ? 'yes' : 'no')],
        [t('users.username'), username],
        [t('users.role'), t(`users.roles.${roleOf(user)}`)],
        [t('users.plan'), planName(plan)],
        [t('users.paidPlan'), subscribedPlan === 'free' ? null : planName(subscribedPlan)],
        [t('users.grantedPlan'), grantedPlan && planName(grantedPlan)],
        [t('users.subscription'), <Subscription key="subscription" user={user} />],
        [t('users.zones'), format.number(user.zoneCount)],
        [t('users.memberships'), format.number(user.memberships)],
        [t('users.sessions'), format.number(user.sessions)],
        [t('users.lastSeen'), user.lastSeenAt && format.dateTime(user.lastSeenAt)],
        [t('users.joined'), format.dateTime(user.createdAt)],
        [t('users.deactivatedAt'), user.deactivatedAt && format.dateTime(user.deactivatedAt)],
        [t('users.language'), [languageNames[toLanguage(language) ?? 'en'], timeZone].filter(Boolean).join(' · ')],
        [t('users.id'), String(user.id)],
      ]}
    />
  );
}

/** State, price and end of the period, and the way to Stripe for who may go there. */
function Subscription({ user: { subscription, stripeUrl } }: { user: UserDetail }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { status, interval, amount, currency, currentPeriodEnd, cancelAtPeriodEnd } = subscription ?? {};
  const price = amount != null && currency ? format.money(amount, currency) : null;
  const end = currentPeriodEnd && format.date(currentPeriodEnd);
  const lines = [
    status ? t(`subscription.states.${status as 'active'}`, { defaultValue: status }) : t('no'),
    price && (interval ? t(`subscription.${interval}`, { price }) : price),
    end && t(cancelAtPeriodEnd ? 'subscription.ends' : 'subscription.renews', { date: end }),
  ].filter(Boolean);
  return (
    <>
      {lines.join(' · ')}
      {stripeUrl && (
        <>
          {' '}
          <Link href={stripeUrl} target="_blank" rel="noreferrer">
            {t('subscription.stripe')}
          </Link>
        </>
      )}
    </>
  );
}

function Usage({ user }: { user: UserDetail }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const format = useFormat();
  return (
    <Box>
      <Typography variant="h3" sx={{ mb: 2 }}>
        {t('users.usage')}
      </Typography>
      <Facts
        label={t('users.usage')}
        facts={user.usage.map((row) => [common(`plan.metrics.${row.metric}`), usageText(row, format, t)])}
      />
    </Box>
  );
}
