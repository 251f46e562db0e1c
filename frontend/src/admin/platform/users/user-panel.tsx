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
import { DefinitionList } from '../../ui/definition-list';
import { SidePanel } from '../../ui/side-panel';
import { UserStateBadge } from './user-state-badge';
import { UserActions } from './user-actions';
import { UserConsents } from './user-consents';
import { getDisplayName, toRoleName, formatUsage, type User, type UserDetail } from './user';

/** One account with its figures and actions. */
export function UserPanel({ user, onClose }: { user: User | null; onClose: () => void }) {
  return (
    <SidePanel
      open={user !== null}
      title={user ? getDisplayName(user) : ''}
      badge={user && <WithUserDetail id={user.id}>{(detail) => <UserStateBadge user={detail} />}</WithUserDetail>}
      onClose={onClose}
    >
      {user && <UserDetailContent id={user.id} onDeleted={onClose} />}
    </SidePanel>
  );
}

const useUserDetail = (id: number) =>
  $api.useQuery('get', '/api/admin/users/{id}', { params: { path: { id } } }, { staleTime: 0 });

function WithUserDetail({ id, children }: { id: number; children: (user: UserDetail) => React.ReactNode }) {
  const { data } = useUserDetail(id);
  return data ? children(data) : null;
}

function UserDetailContent({ id, onDeleted }: { id: number; onDeleted: () => void }) {
  const { t } = useTranslation('admin');
  const { isSuperAdmin } = useSignedInUser();
  const { data, error, refetch } = useUserDetail(id);
  if (error && !data) return <ErrorState title={t('users.detailFailed')} error={error} onRetry={refetch} />;
  if (!data) return <RowsSkeleton rows={8} />;
  return (
    <>
      <UserActions user={data} onDeleted={onDeleted} />
      <AccountDetails user={data} />
      <UserUsage user={data} />
      {isSuperAdmin && <UserConsents userId={id} />}
    </>
  );
}

function AccountDetails({ user }: { user: UserDetail }) {
  const { t } = useTranslation('admin');
  const { t: tCommon } = useTranslation();
  const format = useFormat();
  const { email, username, plan, subscribedPlan, grantedPlan, language, timeZone } = user;
  const formatPlanName = (id: string) => tCommon(`plans.${id as 'free'}`);
  const hasDefaultPlan = subscribedPlan === 'free' && grantedPlan === null && !user.subscription && !user.stripeUrl;
  return (
    <DefinitionList
      label={t('users.facts')}
      items={[
        [t('users.email'), email],
        [t('users.verified'), t(user.emailVerified ? 'yes' : 'no')],
        [t('users.username'), username],
        [t('users.role'), t(`users.roles.${toRoleName(user)}`)],
        ...(hasDefaultPlan
          ? ([[t('users.plan'), t('users.defaultPlan', { plan: formatPlanName(plan) })]] as const)
          : ([
              [t('users.plan'), formatPlanName(plan)],
              [t('users.paidPlan'), subscribedPlan === 'free' ? null : formatPlanName(subscribedPlan)],
              [t('users.grantedPlan'), grantedPlan && formatPlanName(grantedPlan)],
              [t('users.subscription'), <SubscriptionSummary key="subscription" user={user} />],
            ] as const)),
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

/** State, price and end of the period, and a link to Stripe for those with permission. */
function SubscriptionSummary({ user: { subscription, stripeUrl } }: { user: UserDetail }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { status, interval, amount, currency, currentPeriodEnd, cancelAtPeriodEnd } = subscription ?? {};
  const price = amount != null && currency ? format.money(amount, currency) : null;
  const end = currentPeriodEnd && format.date(currentPeriodEnd);
  const parts = [
    status ? t(`subscription.states.${status as 'active'}`, { defaultValue: status }) : t('no'),
    price && (interval ? t(`subscription.${interval}`, { price }) : price),
    end && t(cancelAtPeriodEnd ? 'subscription.ends' : 'subscription.renews', { date: end }),
  ].filter(Boolean);
  return (
    <>
      {parts.join(' · ')}
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

function UserUsage({ user }: { user: UserDetail }) {
  const { t } = useTranslation('admin');
  const { t: tCommon } = useTranslation();
  const format = useFormat();
  return (
    <Box>
      <Typography variant="h3" sx={{ mb: 2 }}>
        {t('users.usage')}
      </Typography>
      <DefinitionList
        label={t('users.usage')}
        items={user.usage.map((row) => [tCommon(`plan.metrics.${row.metric}`), formatUsage(row, format, t)])}
      />
    </Box>
  );
}
