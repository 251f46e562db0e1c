import DownloadRounded from '@mui/icons-material/DownloadRounded';
import GroupRounded from '@mui/icons-material/GroupRounded';
import UploadFileRounded from '@mui/icons-material/UploadFileRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import Typography from '@mui/material/Typography';
import { Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { Schema } from '../../shared/api/client';
import { toId, useZone } from '../../shared/api/use-zone';
import { useSort } from '../../shared/browse/sort';
import { useDebounced } from '../../shared/hooks/use-debounced';
import { useFormat } from '../../shared/hooks/use-format';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { memberSortKeys, useMembers, type Member, type MemberState } from './api/use-members';
import { MemberTable } from './components/member-table';
import { SearchField } from './components/search-field';
import { TermsDialog } from './components/terms-dialog';
import { useRemoval } from './components/use-removal';
import { ImportDialog } from './import/import-dialog';

type Zone = Schema<'ZoneDto'>;

interface Props {
  /** For those who may invite: the invitations that nobody has accepted yet. */
  invitations?: ReactNode;
}

/** /zones/{id}/members: who is in a zone, and who is invited. Plain members see how many are in. */
export function MembersPage({ invitations }: Props) {
  const { data: zone } = useZone(toId(useParams().zoneId));
  if (!zone) return <RowsSkeleton />;
  return (
    <>
      {zone.can.invite && invitations && <Suspense fallback={null}>{invitations}</Suspense>}
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

function Members({ zone }: { zone: Zone }) {
  const { t } = useTranslation('members');
  const [typed, setTyped] = useState('');
  const [state, setState] = useState<MemberState>('active');
  const [edited, setEdited] = useState<Member | null>(null);
  const [importing, setImporting] = useState(false);
  const [sort, setSort] = useSort('members', memberSortKeys, { by: 'joined', order: 'desc' });
  const q = useDebounced(typed.trim(), 200);
  const list = useMembers({ zoneId: zone.id, q, state }, sort);
  const remove = useRemoval(zone.id);
  const manage = zone.can.manageMembers;
  const nobody = list.ready && list.total === 0 && q === '' && state === 'active';
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, mb: 4 }}>
        <SearchField label={t('search')} value={typed} onChange={setTyped} />
        <StateSelect state={state} onChange={setState} />
        <Box sx={{ flex: 1 }} />
        {manage && <MemberFiles zone={zone} nobody={nobody} onImport={() => setImporting(true)} />}
      </Box>
      {list.error && !list.ready && <ErrorState title={t('failed')} error={list.error} onRetry={list.refetch} />}
      {!list.ready && !list.error && <RowsSkeleton rows={6} />}
      {nobody && <NoMembers canImport={manage} onImport={() => setImporting(true)} />}
      {list.ready && list.total === 0 && !nobody && (
        <Typography role="status" color="textSecondary" sx={{ py: 6, textAlign: 'center' }}>
          {q === '' ? t('noneExpired') : t('notFound', { q })}
        </Typography>
      )}
      {list.total > 0 && (
        <MemberTable
          list={list}
          sort={sort}
          onSort={setSort}
          actions={manage ? { edit: setEdited, remove } : undefined}
        />
      )}
      <TermsDialog zoneId={zone.id} member={edited} onClose={() => setEdited(null)} />
      <ImportDialog zone={zone} open={importing} onClose={() => setImporting(false)} />
    </>
  );
}

function StateSelect({ state, onChange }: { state: MemberState; onChange: (state: MemberState) => void }) {
  const { t } = useTranslation('members');
  return (
    <Select
      value={state}
      size="small"
      inputProps={{ 'aria-label': t('state.label') }}
      onChange={(event) => onChange(event.target.value)}
    >
      <MenuItem value="active">{t('state.active')}</MenuItem>
      <MenuItem value="expired">{t('state.expired')}</MenuItem>
    </Select>
  );
}

function MemberFiles({ zone, nobody, onImport }: { zone: Zone; nobody: boolean; onImport: () => void }) {
  const { t } = useTranslation('members');
  return (
    <>
      {!nobody && (
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

function NoMembers({ canImport, onImport }: { canImport: boolean; onImport: () => void }) {
  const { t } = useTranslation('members');
  return (
    <Card>
      <EmptyState
        icon={<GroupRounded />}
        title={t('empty.title')}
        text={t('empty.text')}
        action={canImport ? <Button onClick={onImport}>{t('import.open')}</Button> : undefined}
      />
    </Card>
  );
}
