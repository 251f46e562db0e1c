import CloseRounded from '@mui/icons-material/CloseRounded';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { StoredFile } from '../entries';

interface Props {
  title: string;
  /** The drawer is open while there is a file. */
  file: StoredFile | null;
  onClose: () => void;
  children: (file: StoredFile) => ReactNode;
}

/** A drawer next to the list with details of a file. */
export function FileDrawer({ title, file, onClose, children }: Props) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Drawer
      anchor="right"
      open={file !== null}
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-labelledby': id, sx: { width: 'min(520px, 100vw)' } } }}
    >
      {file && (
        <Stack spacing={5} sx={{ p: { xs: 4, sm: 6 } }}>
          <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 2 }}>
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Typography id={id} variant="h2">
                {title}
              </Typography>
              <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
                {file.originalName}
              </Typography>
            </Box>
            <IconButton aria-label={t('actions.close')} onClick={onClose}>
              <CloseRounded />
            </IconButton>
          </Box>
          {children(file)}
        </Stack>
      )}
    </Drawer>
  );
}
