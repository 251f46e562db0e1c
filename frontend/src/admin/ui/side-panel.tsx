import CloseRounded from '@mui/icons-material/CloseRounded';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface ContentProps {
  title: string;
  badge?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** Details of one row, beside the list. */
export function SidePanel({ open, ...content }: ContentProps & { open: boolean }) {
  return (
    <PanelDrawer open={open} onClose={content.onClose}>
      {(titleId) => <PanelContent titleId={titleId} {...content} />}
    </PanelDrawer>
  );
}

interface DrawerProps {
  open: boolean;
  onClose: () => void;
  /** Receives the id of the title, which names the dialog. */
  children: (titleId: string) => ReactNode;
}

/** The drawer itself, for contents that load their title. */
export function PanelDrawer({ open, onClose, children }: DrawerProps) {
  const titleId = useId();
  return (
    <Drawer
      anchor="right"
      open={open}
      onClose={onClose}
      slotProps={{
        paper: { role: 'dialog', 'aria-modal': true, 'aria-labelledby': titleId, sx: { width: 'min(560px, 100vw)' } },
      }}
    >
      {children(titleId)}
    </Drawer>
  );
}

/** Title, badge and close button above the details. */
export function PanelContent({ titleId, title, badge, onClose, children }: ContentProps & { titleId: string }) {
  const { t } = useTranslation();
  return (
    <Box sx={{ display: 'grid', gap: 5, alignContent: 'start', p: { xs: 4, sm: 6 }, minWidth: 0 }}>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 3 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, flex: 1, minWidth: 0 }}>
          <Typography id={titleId} variant="h2" sx={{ overflowWrap: 'anywhere' }}>
            {title}
          </Typography>
          {badge}
        </Box>
        <IconButton aria-label={t('actions.close')} edge="end" onClick={onClose} autoFocus>
          <CloseRounded />
        </IconButton>
      </Box>
      {children}
    </Box>
  );
}
