import PeopleRounded from '@mui/icons-material/PeopleRounded';
import { useState } from 'react';
import { DataTable } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { AdminList } from '../../ui/admin-list';
import { TruncatedText } from '../../ui/truncated-text';
import { ListFilters } from '../../ui/list-filters';
import { OpenButton } from '../../ui/open-button';
import { RowCard } from '../../ui/row-card';
import { ActivationButton } from './activation-button';
import { InviteUserButton } from './invite-user-button';
import { UserStateBadge } from './user-state-badge';
import { getDisplayName, plans, toRoleName, userRoles, userStates, type User } from './user';
import { UserPanel } from './user-panel';

/** All accounts, and the details of one. */
export function Users() {
  const { t } = useTranslation('admin');
  const [opened, setOpened] = useState<User | null>(null);
  return (
    <>
      <InviteUserButton />
      <AdminList<User>
        resource="users"
        label={t('users.list')}
        errorTitle={t('users.failed')}
        empty={{ icon: <PeopleRounded />, title: t('users.empty'), text: t('users.emptyText') }}
        filters={<UserFilters />}
        onRowClick={setOpened}
        renderCard={(user) => <UserCard user={user} onOpen={() => setOpened(user)} />}
      >
        {useColumns(setOpened)}
      </AdminList>
      <UserPanel user={opened} onClose={() => setOpened(null)} />
    </>
  );
}

function UserFilters() {
  const { t } = useTranslation('admin');
  const { t: tCommon } = useTranslation();
  return (
    <ListFilters
      searchLabel={t('users.search')}
      selects={[
        {
          name: 'state',
          label: t('users.state'),
          anyLabel: t('users.anyState'),
          options: userStates.map((value) => ({ value, label: t(`users.states.${value}`) })),
        },
        {
          name: 'plan',
          label: t('users.plan'),
          anyLabel: t('users.anyPlan'),
          options: plans.map((value) => ({ value, label: tCommon(`plans.${value}`) })),
        },
        {
          name: 'role',
          label: t('users.role'),
          anyLabel: t('users.anyRole'),
          options: userRoles.map((value) => ({ value, label: t(`users.roles.${value}`) })),
        },
      ]}
      exportFile={{ path: '/api/admin/users/export', label: t('list.export') }}
    />
  );
}

function useColumns(onOpen: (user: User) => void) {
  const { t } = useTranslation('admin');
  const { t: tCommon } = useTranslation();
  const format = useFormat();
  return [
    <DataTable.Col<User>
      key="name"
      source="name"
      label={t('users.name')}
      render={(user) => (
        <OpenButton label={t('users.open', { name: getDisplayName(user) })} onOpen={() => onOpen(user)}>
          {getDisplayName(user)}
        </OpenButton>
      )}
    />,
    <DataTable.Col<User>
      key="email"
      source="email"
      label={t('users.email')}
      render={({ email }) => <TruncatedText>{email}</TruncatedText>}
    />,
    <DataTable.Col<User>
      key="role"
      source="role"
      disableSort
      label={t('users.role')}
      render={(user) => t(`users.roles.${toRoleName(user)}`)}
    />,
    <DataTable.Col<User>
      key="state"
      source="state"
      disableSort
      label={t('users.state')}
      render={(user) => <UserStateBadge user={user} />}
    />,
    <DataTable.Col<User>
      key="plan"
      source="plan"
      label={t('users.plan')}
      render={({ plan }) => tCommon(`plans.${plan as 'free'}`)}
    />,
    <DataTable.Col<User>
      key="zoneCount"
      source="zoneCount"
      disableSort
      align="right"
      label={t('users.zones')}
      render={({ zoneCount }) => format.number(zoneCount)}
    />,
    <DataTable.Col<User>
      key="createdAt"
      source="createdAt"
      label={t('users.joined')}
      render={({ createdAt }) => format.date(createdAt)}
    />,
    <DataTable.Col<User>
      key="actions"
      label={t('list.actions')}
      align="right"
      render={(user) => <ActivationButton user={user} isCompact />}
    />,
  ];
}

function UserCard({ user, onOpen }: { user: User; onOpen: () => void }) {
  const { t } = useTranslation('admin');
  const { t: tCommon } = useTranslation();
  const format = useFormat();
  const name = getDisplayName(user);
  const planName = tCommon(`plans.${user.plan as 'free'}`);
  return (
    <RowCard
      title={
        <OpenButton label={t('users.open', { name })} onOpen={onOpen}>
          {name}
        </OpenButton>
      }
      badge={<UserStateBadge user={user} />}
      lines={[
        name === user.email ? null : user.email,
        `${t(`users.roles.${toRoleName(user)}`)} · ${planName} · ${t('users.zoneCount', {
          count: user.zoneCount,
          formatted: format.number(user.zoneCount),
        })}`,
        t('users.joinedOn', { date: format.date(user.createdAt) }),
      ]}
    />
  );
}
