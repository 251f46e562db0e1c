import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import { Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { CurrentUser } from '../../shared/api/current-user';
import { useMedia } from '../../shared/hooks/use-media';
import { useStoredFlag } from '../../shared/hooks/use-stored-flag';
import { SkipLink } from '../../shared/plain/skip-link';
import { AnotherAccount } from './another-account';
import { DownloadLinks } from '../../shared/files/download-links';
import { LeaveQuestion } from './leave-question';
import { ReaderNotes } from './reader-notes';
import { EmailDeliveryBanner } from '../../shared/site/email-delivery';
import { UpgradeDialog } from '../../shared/plan/upgrade-dialog';
import { CardsSkeleton } from '../../shared/ui/skeletons';
import { MuiProvider } from '../mui-provider';
import { layoutSize } from '../theme/tokens';
import { useIsBare } from './bare';
import { Sidebar } from './sidebar';
import { SearchByKeys } from './search';
import { TopBar } from './top-bar';
import { Confirmation } from './confirmation';
import { Uploads, UploadsFromPages } from './uploads';

interface Props {
  /** Undefined while it is not yet known who is signed in; the frame is then shown without a name. */
  user?: CurrentUser;
  children: ReactNode;
}

/** The frame of the signed-in pages: sidebar (a drawer on small screens), top bar, and the page in the middle. */
export function AppShell({ user, children }: Props) {
  return (
    <MuiProvider>
      <ShellFrame user={user}>{children}</ShellFrame>
    </MuiProvider>
  );
}

function ShellFrame({ user, children }: Props) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const wide = useMedia(`(min-width: ${layoutSize.drawerBelow}px)`);
  const [collapsed, setCollapsed] = useStoredFlag('sidebarCollapsed', false);
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const drawerOpen = !wide && openedAt === pathname;
  const isBare = useIsBare();
  const waiting = isBare ? null : <CardsSkeleton />;
  return (
    <Box sx={{ display: 'flex', flex: 1, minHeight: '100dvh' }}>
      <SkipLink />
      {wide && !isBare && (
        <Box
          component="aside"
          aria-label={t('nav.menu')}
          sx={{
            position: 'sticky',
            top: 0,
            flex: 'none',
            width: collapsed ? layoutSize.sidebarCollapsed : layoutSize.sidebar,
            height: '100dvh',
            borderRight: 1,
            borderColor: 'divider',
            bgcolor: 'background.paper',
          }}
        >
          <Sidebar user={user} collapsed={collapsed} onCollapse={setCollapsed} />
        </Box>
      )}
      <SidebarDrawer user={user} open={drawerOpen && !isBare} onClose={() => setOpenedAt(null)} />
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
        {isBare ? (
          user && <SearchByKeys />
        ) : (
          <TopBar user={user} wide={wide} drawerOpen={drawerOpen} onOpenDrawer={() => setOpenedAt(pathname)} />
        )}
        <Box
          component="main"
          id="main"
          tabIndex={-1}
          sx={{ flex: 1, width: '100%', ...(!isBare && { px: { xs: 4, md: 8 }, py: { xs: 6, md: 8 } }) }}
        >
          {user && !isBare && <EmailDeliveryBanner user={user} />}
          {user?.isReader && !isBare && <ReaderNotes />}
          <Suspense fallback={waiting}>{user ? <UploadsFromPages>{children}</UploadsFromPages> : waiting}</Suspense>
        </Box>
      </Box>
      {user && <Uploads />}
      {user && <UpgradeDialog />}
      {user && <LeaveQuestion />}
      {user && <DownloadLinks />}
      {user && <AnotherAccount user={user} />}
      {user && <Confirmation user={user} />}
    </Box>
  );
}

function SidebarDrawer({ user, open, onClose }: { user?: CurrentUser; open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer
      open={open}
      onClose={onClose}
      slotProps={{ paper: { 'aria-label': t('nav.menu'), sx: { width: layoutSize.sidebar, maxWidth: '85vw' } } }}
    >
      <Sidebar user={user} onClose={onClose} />
    </Drawer>
  );
}
