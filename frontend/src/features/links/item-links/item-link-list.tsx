import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { itemLinkUrl } from '../../../shared/format/zone-urls';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import type { ItemLink } from '../api/use-item-links';
import type { LinkAction } from '../components/link-menu';
import { QrDialog } from '../components/qr-dialog';
import { useItemLinkActions } from '../use-link-actions';
import { GuestsDrawer } from './guests-drawer';
import { ItemLinkDialog } from './item-link-dialog';
import { ItemLinkRow } from './item-link-row';

interface Props {
  /** Undefined while they are loading. */
  items: readonly ItemLink[] | undefined;
  error: unknown;
  refetch: () => unknown;
  loadMore?: () => void;
  label: string;
  emptyText: string;
  /** Shows to which file or folder each link leads. */
  showsItem?: boolean;
}

/** Links to files and folders, with their actions. */
export function ItemLinkList({ items, error, refetch, loadMore, label, emptyText, showsItem = false }: Props) {
  const { t } = useTranslation('links');
  const [opened, setOpened] = useState<{ what: LinkAction; id: number } | null>(null);
  return (
    <>
      {error != null && !items && <ErrorState title={t('failed')} error={error} onRetry={refetch} />}
      {!items && error == null && <RowsSkeleton rows={2} />}
      {items?.length === 0 && <Typography color="textSecondary">{emptyText}</Typography>}
      {items && items.length > 0 && (
        <Box component="ul" aria-label={label} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {items.map((link) => (
            <ItemLinkRow
              key={link.id}
              link={link}
              showsItem={showsItem}
              onOpen={(what) => setOpened({ what, id: link.id })}
            />
          ))}
        </Box>
      )}
      {loadMore && <Button onClick={loadMore}>{t('item.more')}</Button>}
      <LinkOverlays
        link={items?.find(({ id }) => id === opened?.id)}
        opened={opened?.what}
        onClose={() => setOpened(null)}
      />
    </>
  );
}

interface OverlaysProps {
  link: ItemLink | undefined;
  opened: LinkAction | undefined;
  onClose: () => void;
}

/** Dialogs and the statistics of a link, always with its current state. */
function LinkOverlays({ link, opened, onClose }: OverlaysProps) {
  const { t } = useTranslation('links');
  const { remove, isRemoving } = useItemLinkActions();
  if (!link) return null;
  return (
    <>
      <ItemLinkDialog item={toItem(link)} link={link} open={opened === 'edit'} onClose={onClose} onCreated={onClose} />
      <QrDialog open={opened === 'qr'} name={link.itemName} address={itemLinkUrl(link.token)} onClose={onClose} />
      <GuestsDrawer open={opened === 'analytics'} link={link} onClose={onClose} />
      <ConfirmDialog
        open={opened === 'delete'}
        title={t('deleteTitle', { name: link.name })}
        confirmLabel={t('menu.delete')}
        isPending={isRemoving}
        onConfirm={() => void remove(link, onClose)}
        onClose={onClose}
      >
        {t('item.deleteText')}
      </ConfirmDialog>
    </>
  );
}

const toItem = ({ fileId, folderId, itemName: name }: ItemLink) =>
  fileId === null ? ({ kind: 'folder', id: folderId!, name } as const) : ({ kind: 'file', id: fileId, name } as const);
