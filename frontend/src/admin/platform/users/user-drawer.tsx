import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useSignedInUser } from '../../../shared/api/current-user';
import { useFormat } from '../../../shared/hooks/use-format';
import { languageNames, toLanguage } from '../../../shared/preferences/language';
import { DefinitionList } from '../../ui/definition-list';
import { useCloseRecord } from '../../ui/list/record-address';
import { RecordDrawer } from '../../ui/list/record-drawer';
import { UserStateBadge } from './user-state-badge';
import { UserActions } from './user-actions';
import { UserConsents } from './user-consents';
import { getDisplayName, toRoleName, formatUsage, type User, type UserDetail } from './user';

/** One account with its figures and actions. */
export function UserDrawer() {
  const { t } = useTranslation('admin');
  const { isSuperAdmin } = useSignedInUser();
  const close = useCloseRecord('users');
  return (
    <RecordDrawer<User, UserDetail>
      resource="users"
      detailField="usage"
      errorTitle={t('users.detailFailed')}
      title={getDisplayName}
      badge={(user) => <UserStateBadge user={user} />}
    >
      {(user) => (
        <>
          <UserActions user={user} onDeleted={close} />
          <AccountDetails user={user} />
          <UserUsage user={user} />
          {isSuperAdmin && <UserConsents userId={user.id} />}
        </>
      )}
    </RecordDrawer>
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
