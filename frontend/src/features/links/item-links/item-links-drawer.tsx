import AddRounded from '@mui/icons-material/AddRounded';
import CloseRounded from '@mui/icons-material/CloseRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LinkedItem } from '../../../shared/files/linked-item';
import { itemLinkUrl } from '../../../shared/format/zone-urls';
import { useItemLinks } from '../api/use-item-links';
import { QrDialog } from '../components/qr-dialog';
import { ItemLinkDialog } from './item-link-dialog';
import { ItemLinkList } from './item-link-list';

interface Props {
  item: LinkedItem;
  open: boolean;
  onClose: () => void;
}

/** The links to a file or folder, in a drawer next to the list of files. */
export function ItemLinksDrawer({ item, open, onClose }: Props) {
  const id = useId();
  return (
    <Drawer
      anchor="right"
      open={open}
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-labelledby': id, sx: { width: 'min(520px, 100vw)' } } }}
    >
      <DrawerContent key={`${item.kind}-${item.id}`} item={item} titleId={id} onClose={onClose} />
    </Drawer>
  );
}

function DrawerContent({ item, titleId, onClose }: { item: LinkedItem; titleId: string; onClose: () => void }) {
  const { t } = useTranslation('links');
  const { t: tCommon } = useTranslation();
  const list = useItemLinks(item);
  const [isCreating, setCreating] = useState(false);
  const [newToken, setNewToken] = useState<string | null>(null);
  const createButton = useRef<HTMLButtonElement>(null);
  return (
    <Stack spacing={5} sx={{ p: { xs: 4, sm: 6 } }}>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography id={titleId} variant="h2">
            {t('item.title')}
          </Typography>
          <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {item.name}
          </Typography>
        </Box>
        <IconButton aria-label={tCommon('actions.close')} onClick={onClose}>
          <CloseRounded />
        </IconButton>
      </Box>
      <Typography color="textSecondary">{t(`item.text.${item.kind}`)}</Typography>
      <Button
        ref={createButton}
        variant="contained"
        color="primary"
        startIcon={<AddRounded />}
        sx={{ alignSelf: 'flex-start' }}
        onClick={() => setCreating(true)}
      >
        {t('form.submit')}
      </Button>
      <ItemLinkList {...list} label={t('item.list', { name: item.name })} emptyText={t('item.empty')} />
      <ItemLinkDialog
        item={item}
        link={undefined}
        open={isCreating}
        onClose={() => setCreating(false)}
        onCreated={(token) => {
          setCreating(false);
          setNewToken(token);
        }}
      />
      {newToken !== null && (
        <QrDialog
          open
          isNew
          name={item.name}
          address={itemLinkUrl(newToken)}
          onClose={() => {
            setNewToken(null);
            // The form that had the focus is gone.
            createButton.current?.focus();
          }}
        />
      )}
    </Stack>
  );
}
