import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { VirtualItems } from '../../../shared/browse/virtual-items';
import { displayNameOf } from '../../../shared/format/person';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { UserAvatar } from '../../../shared/ui/user-avatar';
import { useFormerMembers, type FormerMember } from '../api/use-former-members';

const columns = 'minmax(0, 3fr) 200px minmax(0, 4fr) 112px';

/** Former members of a zone, how they left, and the reason they gave. */
export function FormerMemberTable({ zoneId }: { zoneId: number }) {
  const { t } = useTranslation('members');
  const { formerMembers, total, error, refetch, loadMore } = useFormerMembers(zoneId);
  if (!formerMembers && error) return <ErrorState title={t('left.failed')} error={error} onRetry={refetch} />;
  if (!formerMembers) return <RowsSkeleton rows={6} />;
  if (formerMembers.length === 0) {
    return (
      <Typography role="status" color="textSecondary" sx={{ py: 6, textAlign: 'center' }}>
        {t('left.nobody')}
      </Typography>
    );
  }
  return (
    <TableFrame label={t('left.list')} columns={columns} rowCount={total + 1}>
      <TableRow rowIndex={1} isHeader>
        <TableCell isHeader>{t('left.columns.person')}</TableCell>
        <TableCell isHeader>{t('left.columns.via')}</TableCell>
        <TableCell isHeader>{t('left.columns.reason')}</TableCell>
        <TableCell isHeader>{t('left.columns.date')}</TableCell>
      </TableRow>
      <VirtualItems
        count={formerMembers.length}
        itemHeight={52}
        getKey={(index) => formerMembers[index]!.id}
        onNearEnd={loadMore}
        renderItem={(index) => <FormerMemberRow formerMember={formerMembers[index]!} rowIndex={index + 2} />}
      />
    </TableFrame>
  );
}

/** A former member; on narrow screens all details are below the name. */
function FormerMemberRow({ formerMember, rowIndex }: { formerMember: FormerMember; rowIndex: number }) {
  const { t } = useTranslation('members');
  const format = useFormat();
  const { user, via, reason, leftAt } = formerMember;
  const name = user ? displayNameOf(user) : t('left.deleted');
  const methodBadge = <Badge tone={via === 'complaint' ? 'danger' : 'neutral'}>{t(`left.via.${via}`)}</Badge>;
  const reasonText = reason && (
    <Typography sx={{ py: 2, overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>{reason}</Typography>
  );
  return (
    <TableRow rowIndex={rowIndex}>
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
            {methodBadge}
            {reasonText}
          </Box>
        </Box>
      </TableCell>
      <TableCell hideOnMobile>{methodBadge}</TableCell>
      <TableCell hideOnMobile>{reasonText}</TableCell>
      <TableCell>
        <Typography variant="body2" color="textSecondary" sx={{ whiteSpace: 'nowrap' }}>
          {format.date(leftAt)}
        </Typography>
      </TableCell>
    </TableRow>
  );
}
