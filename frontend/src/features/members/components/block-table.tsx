import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { VirtualItems } from '../../../shared/browse/virtual-items';
import { displayNameOf } from '../../../shared/format/person';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { UserAvatar } from '../../../shared/ui/user-avatar';
import { useBlocks, useUnblock, type Block } from '../api/use-blocks';

const columns = 'minmax(0, 1fr) 140px 160px';

/** The people blocked in a zone, with an explanation and the unblock action. */
export function BlockTable({ zoneId }: { zoneId: number }) {
  const { t } = useTranslation('members');
  const { blocks, total, error, refetch, loadMore } = useBlocks(zoneId);
  const unblock = useUnblockWithToast(zoneId);
  if (!blocks && error) return <ErrorState title={t('blocks.failed')} error={error} onRetry={refetch} />;
  if (!blocks) return <RowsSkeleton rows={6} />;
  if (blocks.length === 0) {
    return (
      <Typography role="status" color="textSecondary" sx={{ py: 6, textAlign: 'center' }}>
        {t('blocks.nobody')}
      </Typography>
    );
  }
  return (
    <>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 4 }}>
        {t('blocks.meaning')}
      </Typography>
      <TableFrame label={t('blocks.list')} columns={columns} rowCount={total + 1}>
        <TableRow rowIndex={1} isHeader>
          <TableCell isHeader>{t('blocks.columns.person')}</TableCell>
          <TableCell isHeader>{t('blocks.columns.date')}</TableCell>
          <TableCell isHeader>{t('blocks.columns.actions')}</TableCell>
        </TableRow>
        <VirtualItems
          count={blocks.length}
          itemHeight={52}
          getKey={(index) => blocks[index]!.user.id}
          onNearEnd={loadMore}
          renderItem={(index) => <BlockRow block={blocks[index]!} rowIndex={index + 2} onUnblock={unblock} />}
        />
      </TableFrame>
    </>
  );
}

interface RowProps {
  block: Block;
  rowIndex: number;
  onUnblock: (block: Block) => void;
}

function BlockRow({ block, rowIndex, onUnblock }: RowProps) {
  const { t } = useTranslation('members');
  const format = useFormat();
  const name = displayNameOf(block.user);
  return (
    <TableRow rowIndex={rowIndex}>
      <TableCell>
        <UserAvatar person={block.user} size={28} />
        <Box sx={{ minWidth: 0, py: 2 }}>
          <Typography noWrap title={name}>
            {name}
          </Typography>
          {name !== block.user.email && (
            <Typography noWrap variant="body2" color="textSecondary" title={block.user.email}>
              {block.user.email}
            </Typography>
          )}
        </Box>
      </TableCell>
      <TableCell hideOnMobile>{format.date(block.blockedAt)}</TableCell>
      <TableCell>
        <Button size="small" aria-label={t('blocks.unblockName', { name })} onClick={() => onUnblock(block)}>
          {t('blocks.unblock')}
        </Button>
      </TableCell>
    </TableRow>
  );
}

function useUnblockWithToast(zoneId: number) {
  const { t } = useTranslation('members');
  const errorText = useErrorText();
  const { mutate } = useUnblock(zoneId);
  return ({ user }: Block) =>
    mutate(user.id, {
      onSuccess: () => toast.success(t('blocks.unblocked', { name: displayNameOf(user) })),
      onError: (error) => toast.error(t('blocks.unblockFailed'), errorText(error)),
    });
}
