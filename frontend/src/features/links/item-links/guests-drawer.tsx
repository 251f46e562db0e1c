import CloseRounded from '@mui/icons-material/CloseRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { useItemGuests, type ItemGuest, type ItemLink } from '../api/use-item-links';
import { Totals } from '../components/link-analytics';

interface Props {
  link: ItemLink;
  open: boolean;
  onClose: () => void;
}

/** Statistics of a link to a file or folder: who entered by it, and what they opened. */
export function GuestsDrawer({ link, open, onClose }: Props) {
  const id = useId();
  return (
    <Drawer
      anchor="right"
      open={open}
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-labelledby': id, sx: { width: 'min(520px, 100vw)' } } }}
    >
      <DrawerContent link={link} titleId={id} onClose={onClose} />
    </Drawer>
  );
}

function DrawerContent({ link, titleId, onClose }: { link: ItemLink; titleId: string; onClose: () => void }) {
  const { t } = useTranslation('links');
  const format = useFormat();
  const { items: guests, error, refetch, loadMore } = useItemGuests(link.id);
  const totals = [
    [t('item.guests'), link.currentUses],
    [t('item.viewed'), link.views],
    [t('item.downloaded'), link.downloads],
  ] as const;
  return (
    <Stack spacing={6} sx={{ p: { xs: 4, sm: 6 } }}>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography id={titleId} variant="h2">
            {t('analytics.title')}
          </Typography>
          <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {link.name}
          </Typography>
        </Box>
        <IconButton aria-label={t('analytics.close')} onClick={onClose}>
          <CloseRounded />
        </IconButton>
      </Box>
      <Totals totals={totals} />
      {link.lastVisitAt !== null && (
        <Typography color="textSecondary">
          {t('item.lastVisit', { when: format.dateTime(link.lastVisitAt) })}
        </Typography>
      )}
      {error != null && !guests && <ErrorState title={t('analytics.failed')} error={error} onRetry={refetch} />}
      {!guests && error == null && <RowsSkeleton rows={2} />}
      {link.currentUses === 0 && <Typography color="textSecondary">{t('item.nobody')}</Typography>}
      {guests && guests.length > 0 && (
        <Box component="ul" aria-label={t('item.guests')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {guests.map((guest) => (
            <GuestRow key={guest.id} guest={guest} />
          ))}
        </Box>
      )}
      {loadMore && <Button onClick={loadMore}>{t('item.more')}</Button>}
      {guests && !loadMore && guests.length < link.currentUses && (
        <Typography variant="body2" color="textSecondary">
          {t('item.removed')}
        </Typography>
      )}
      {guests && guests.some(({ email }) => email !== null) && (
        <Typography variant="body2" color="textSecondary">
          {t('item.notVerified')}
        </Typography>
      )}
    </Stack>
  );
}

function GuestRow({ guest: { email, views, downloads, firstAt, lastAt } }: { guest: ItemGuest }) {
  const { t } = useTranslation('links');
  const format = useFormat();
  const [first, last] = [format.dateTime(firstAt), format.dateTime(lastAt)];
  const facts = [
    t('item.views', { count: views, formatted: format.number(views) }),
    t('item.downloads', { count: downloads, formatted: format.number(downloads) }),
  ];
  return (
    <Box component="li" sx={{ py: 3, overflowWrap: 'anywhere', '& + &': { borderTop: 1, borderColor: 'divider' } }}>
      <Typography variant="subtitle2">{email ?? t('item.anonymous')}</Typography>
      <Typography variant="body2">{facts.join(' · ')}</Typography>
      <Typography variant="caption" color="textSecondary" component="p">
        {first === last ? first : t('item.since', { first, last })}
      </Typography>
    </Box>
  );
}
