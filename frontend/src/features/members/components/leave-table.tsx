import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { VirtualItems } from '../../../shared/browse/virtual-items';
import { nameOf } from '../../../shared/format/person';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { UserAvatar } from '../../../shared/ui/user-avatar';
import { useLeaves, type Leave } from '../api/use-leaves';

const columns = 'minmax(0, 3fr) 200px minmax(0, 4fr) 112px';

/** Who left a zone, how, and the reason that they gave. */
export function LeaveTable({ zoneId }: { zoneId: number }) {
  const { t } = useTranslation('members');
  const { leaves, total, error, refetch, loadMore } = useLeaves(zoneId);
  if (!leaves && error) return <ErrorState title={t('left.failed')} error={error} onRetry={refetch} />;
  if (!leaves) return <RowsSkeleton rows={6} />;
  if (leaves.length === 0) {
    return (
      <Typography role="status" color="textSecondary" sx={{ py: 6, textAlign: 'center' }}>
        {t('left.nobody')}
      </Typography>
    );
  }
  return (
    <TableFrame label={t('left.list')} columns={columns} rows={total + 1}>
      <TableRow at={1} head>
        <TableCell head>{t('left.columns.person')}</TableCell>
        <TableCell head>{t('left.columns.via')}</TableCell>
        <TableCell head>{t('left.columns.reason')}</TableCell>
        <TableCell head>{t('left.columns.date')}</TableCell>
      </TableRow>
      <VirtualItems
        count={leaves.length}
        height={52}
        keyOf={(index) => leaves[index]!.id}
        onNearEnd={loadMore}
        renderItem={(index) => <LeaveRow leave={leaves[index]!} at={index + 2} />}
      />
    </TableFrame>
  );
}

/** One who left: on narrow screens all of it below the name. */
function LeaveRow({ leave, at }: { leave: Leave; at: number }) {
  const { t } = useTranslation('members');
  const format = useFormat();
  const { user, via, reason, leftAt } = leave;
  const name = user ? nameOf(user) : t('left.deleted');
  const how = <Badge tone={via === 'complaint' ? 'danger' : 'neutral'}>{t(`left.via.${via}`)}</Badge>;
  const why = reason && (
    <Typography sx={{ py: 2, overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>{reason}</Typography>
  );
  return (
    <TableRow at={at}>
      <TableCell>
        <UserAvatar person={user ?? {}} size={28} />
        <Box sx={{ minWidth: 0, py: 2 }}>
          <Typography noWrap title={name}>
            {name}
          </Typography>
          {user && name !== user.email && (
            <Typography noWrap variant="body2" color="textSecondary" title={user.email}>
              {user.email}
            </Typography>
          )}
          <Box sx={{ display: { md: 'none' }, pt: 1 }}>
            {how}
            {why}
          </Box>
        </Box>
      </TableCell>
      <TableCell wide>{how}</TableCell>
      <TableCell wide>{why}</TableCell>
      <TableCell>
        <Typography variant="body2" color="textSecondary" sx={{ whiteSpace: 'nowrap' }}>
          {format.date(leftAt)}
        </Typography>
      </TableCell>
    </TableRow>
  );
}
