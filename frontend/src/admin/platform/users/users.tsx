import PeopleRounded from '@mui/icons-material/PeopleRounded';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { Column, DateColumn } from '../../ui/list/column';
import { SearchFilter, SelectFilter } from '../../ui/list/filters';
import { List } from '../../ui/list/list';
import { RecordLink } from '../../ui/list/record-link';
import { ActivationButton } from './activation-button';
import { InviteUserButton } from './invite-user-button';
import { UserDrawer } from './user-drawer';
import { UserStateBadge } from './user-state-badge';
import { getDisplayName, plans, toRoleName, userRoles, userStates, type User } from './user';

/** All accounts, and the details of one. */
export function Users() {
  const { t } = useTranslation('admin');
  const { t: tCommon } = useTranslation();
  const format = useFormat();
  return (
    <>
      <InviteUserButton />
      <List<User>
        resource="users"
        label={t('users.list')}
        errorTitle={t('users.failed')}
        empty={{ icon: <PeopleRounded />, title: t('users.empty'), text: t('users.emptyText') }}
        filters={<UserFilters />}
      >
        <Column<User>
          source="name"
          label={t('users.name')}
          inCard="title"
          render={(user) => (
            <RecordLink label={t('users.open', { name: getDisplayName(user) })}>{getDisplayName(user)}</RecordLink>
          )}
        />
        <Column<User> source="email" label={t('users.email')} maxChars={32} />
        <Column<User>
          source="role"
          disableSort
          label={t('users.role')}
          inCard="inline"
          render={(user) => t(`users.roles.${toRoleName(user)}`)}
        />
        <Column<User>
          source="state"
          disableSort
          label={t('users.state')}
          inCard="badge"
          render={(user) => <UserStateBadge user={user} />}
        />
        <Column<User>
          source="plan"
          label={t('users.plan')}
          inCard="inline"
          render={({ plan }) => tCommon(`plans.${plan as 'free'}`)}
        />
        <Column<User>
          source="zoneCount"
          disableSort
          align="right"
          label={t('users.zones')}
          inCard="inline"
          hasCardLabel
          render={({ zoneCount }) => format.number(zoneCount)}
        />
        <DateColumn<User> source="createdAt" label={t('users.joined')} hasCardLabel />
        <Column<User>
          label={t('list.actions')}
          align="right"
          inCard="hidden"
          render={(user) => <ActivationButton user={user} isCompact />}
        />
      </List>
      <UserDrawer />
    </>
  );
}

function UserFilters() {
  const { t } = useTranslation('admin');
  const { t: tCommon } = useTranslation();
  return (
    <>
      <SearchFilter label={t('users.search')} />
      <SelectFilter
        source="state"
        label={t('users.state')}
        emptyText={t('users.anyState')}
        choices={userStates.map((value) => ({ value, label: t(`users.states.${value}`) }))}
      />
      <SelectFilter
        source="plan"
        label={t('users.plan')}
        emptyText={t('users.anyPlan')}
        choices={plans.map((value) => ({ value, label: tCommon(`plans.${value}`) }))}
      />
      <SelectFilter
        source="role"
        label={t('users.role')}
        emptyText={t('users.anyRole')}
        choices={userRoles.map((value) => ({ value, label: t(`users.roles.${value}`) }))}
      />
    </>
  );
}
