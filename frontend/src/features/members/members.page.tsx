import DownloadRounded from '@mui/icons-material/DownloadRounded';
import GroupRounded from '@mui/icons-material/GroupRounded';
import UploadFileRounded from '@mui/icons-material/UploadFileRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { Schema } from '../../shared/api/client';
import { parseId, useZone } from '../../shared/api/use-zone';
import { useSort, type Sort } from '../../shared/browse/sort';
import { SortMenu } from '../../shared/browse/sort-menu';
import { useUrlChoice } from '../../shared/browse/use-url-choice';
import { useDebounced } from '../../shared/hooks/use-debounced';
import { useFormat } from '../../shared/hooks/use-format';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { memberSortKeys, useMembers, type Member, type MemberSortKey, type MemberState } from './api/use-members';
import { BlockTable } from './components/block-table';
import { FormerMemberTable } from './components/former-member-table';
import { MemberTable } from './components/member-table';
import { SearchField } from './components/search-field';
import { EditMembershipDialog } from './components/edit-membership-dialog';
import { useRemoveMemberWithUndo } from './components/use-remove-member-with-undo';
import { ImportDialog } from './import/import-dialog';

type Zone = Schema<'ZoneDto'>;

interface Props {
  /** Open invitations, for people who can invite. */
  invitations?: ReactNode;
  /** Join requests, for the same people. */
  requests?: ReactNode;
}

/**
 * /zones/{id}/members: members, join requests, invitations and former members of a zone. Plain members see only the
 * number of members.
 */
export function MembersPage({ invitations, requests }: Props) {
  const { data: zone } = useZone(parseId(useParams().zoneId));
  if (!zone) return <RowsSkeleton />;
  return (
    <>
      {zone.can.invite && (
        <>
          {requests}
          {invitations}
        </>
      )}
      {zone.can.seeMembers ? <Members zone={zone} /> : <MemberCount count={zone.memberCount} />}
    </>
  );
}

function MemberCount({ count }: { count: number }) {
  const { t } = useTranslation('members');
  const format = useFormat();
  return (
    <Card>
      <EmptyState
        icon={<GroupRounded />}
        title={t('count', { count, formatted: format.number(count) })}
        text={t('countOnly')}
      />
    </Card>
  );
}

/** What the table shows: members in a state, former members, or blocked people. */
const membershipFilters = ['active', 'expired', 'left', 'blocked'] as const;
type MembershipFilter = (typeof membershipFilters)[number];

function Members({ zone }: { zone: Zone }) {
  const { t } = useTranslation('members');
  // Not in the URL like the filter: it contains names and addresses, which would be in logs and the browser's history.
  const [searchText, setSearchText] = useState('');
  const canManage = zone.can.manageMembers;
  const filters = canManage ? membershipFilters : membershipFilters.slice(0, 2);
  const [filter, setFilter] = useUrlChoice<MembershipFilter>('state', filters, 'active');
  const [isImportOpen, setImportOpen] = useState(false);
  const isMemberList = filter === 'active' || filter === 'expired';
  const openImport = canManage ? () => setImportOpen(true) : undefined;
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, mb: 4 }}>
        <MembershipFilterSelect filter={filter} filters={filters} onChange={setFilter} />
        {isMemberList && <SearchField label={t('search')} value={searchText} onChange={setSearchText} />}
        <Box sx={{ flex: 1 }} />
        {openImport && <MemberFileActions zone={zone} onImport={openImport} />}
      </Box>
      {filter === 'left' && <FormerMemberTable zoneId={zone.id} />}
      {filter === 'blocked' && <BlockTable zoneId={zone.id} />}
      {isMemberList && <MemberList zone={zone} q={searchText.trim()} state={filter} onImport={openImport} />}
      <ImportDialog zone={zone} open={isImportOpen} onClose={() => setImportOpen(false)} />
    </>
  );
}

interface ListProps {
  zone: Zone;
  q: string;
  state: MemberState;
  /** Undefined for people who can't import. */
  onImport?: () => void;
}

function MemberList({ zone, q: searchText, state, onImport }: ListProps) {
  const { t } = useTranslation('members');
  const [editedMember, setEditedMember] = useState<Member | null>(null);
  const [sort, setSort] = useSort('members', memberSortKeys, { by: 'joined', order: 'desc' });
  const q = useDebounced(searchText, 200);
  const list = useMembers({ zoneId: zone.id, q, state }, sort);
  const { remove, block } = useRemoveMemberWithUndo(zone.id);
  const isEmpty = list.isReady && list.members.length === 0;
  const hasNoMembers = isEmpty && q === '' && state === 'active';
  return (
    <>
      {list.error && !list.isReady && <ErrorState title={t('failed')} error={list.error} onRetry={list.refetch} />}
      {!list.isReady && !list.error && <RowsSkeleton rows={6} />}
      {hasNoMembers && <NoMembers onImport={onImport} />}
      {isEmpty && !hasNoMembers && (
        <Typography role="status" color="textSecondary" sx={{ py: 6, textAlign: 'center' }}>
          {q === '' ? t('noneExpired') : t('notFound', { q })}
        </Typography>
      )}
      {list.members.length > 0 && (
        <>
          <MobileSortMenu sort={sort} onSort={setSort} />
          <MemberTable
            list={list}
            sort={sort}
            onSort={setSort}
            actions={zone.can.manageMembers ? { edit: setEditedMember, remove, block } : undefined}
          />
        </>
      )}
      <EditMembershipDialog zoneId={zone.id} member={editedMember} onClose={() => setEditedMember(null)} />
    </>
  );
}

interface SortProps {
  sort: Sort<MemberSortKey>;
  onSort: (sort: Sort<MemberSortKey>) => void;
}

/** Sort menu for screens without a table header. */
function MobileSortMenu({ sort, onSort }: SortProps) {
  const { t } = useTranslation('members');
  const keys = memberSortKeys.map((key) => ({ key, name: t(`columns.${key}`) }));
  return (
    <Box sx={{ display: { md: 'none' }, mb: 2 }}>
      <SortMenu sort={sort} keys={keys} onChange={onSort} />
    </Box>
  );
}

interface MembershipFilterSelectProps {
  filter: MembershipFilter;
  filters: readonly MembershipFilter[];
  onChange: (filter: MembershipFilter) => void;
}

function MembershipFilterSelect({ filter, filters, onChange }: MembershipFilterSelectProps) {
  const { t } = useTranslation('members');
  return (
    <Select
      value={filter}
      size="small"
      inputProps={{ 'aria-label': t('state.label') }}
      onChange={(event) => onChange(event.target.value)}
    >
      {filters.map((state) => (
        <MenuItem key={state} value={state}>
          {t(`state.${state}`)}
        </MenuItem>
      ))}
    </Select>
  );
}

function MemberFileActions({ zone, onImport }: { zone: Zone; onImport: () => void }) {
  const { t } = useTranslation('members');
  return (
    <>
      {zone.memberCount > 0 && (
        <Button component="a" href={`/api/zones/${zone.id}/members/export`} download startIcon={<DownloadRounded />}>
          {t('export')}
        </Button>
      )}
      <Button startIcon={<UploadFileRounded />} onClick={onImport}>
        {t('import.open')}
      </Button>
    </>
  );
}

function NoMembers({ onImport }: { onImport?: () => void }) {
  const { t } = useTranslation('members');
  return (
    <Card>
      <EmptyState
        icon={<GroupRounded />}
        title={t('empty.title')}
        text={t('empty.text')}
        action={onImport && <Button onClick={onImport}>{t('import.open')}</Button>}
      />
    </Card>
  );
}
