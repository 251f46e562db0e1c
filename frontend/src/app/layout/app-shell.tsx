import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import { Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useMatches } from 'react-router';
import type { CurrentUser } from '../../shared/api/current-user';
import { useMediaQuery } from '../../shared/hooks/use-media-query';
import { useStoredFlag } from '../../shared/hooks/use-stored-flag';
import { SkipLink } from '../../shared/public-ui/skip-link';
import { AccountChangedDialog } from './account-changed-dialog';
import { DownloadLinkHandler } from '../../shared/files/download-link-handler';
import { UnsavedChangesDialog } from './unsaved-changes-dialog';
import { IncompleteProfileNotices } from './incomplete-profile-notices';
import { EmailDeliveryBanner } from '../../shared/site/email-delivery';
import { UpgradeDialog } from '../../shared/plan/upgrade-dialog';
import { CardsSkeleton } from '../../shared/ui/skeletons';
import { MuiProvider } from '../mui-provider';
import { useServiceWorker } from '../use-service-worker';
import type { PageHandle } from '../loading/page-route';
import { layoutSize } from '../theme/tokens';
import { Sidebar } from './sidebar';
import { SearchShortcuts } from './global-search';
import { TopBar } from './top-bar';
import { ReauthenticationPrompt } from './reauthentication-prompt';
import { GlobalUploads, PageUploadsProvider } from './uploads';

interface Props {
  /** Undefined while it isn't known who is signed in; the layout then shows no name. */
  user?: CurrentUser;
  children: ReactNode;
}

/** Layout of the signed-in pages: sidebar (a drawer on small screens), top bar, and the page. */
export function AppShell({ user, children }: Props) {
  useServiceWorker();
  return (
    <MuiProvider>
      <ShellFrame user={user}>{children}</ShellFrame>
    </MuiProvider>
  );
}

function ShellFrame({ user, children }: Props) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const isWide = useMediaQuery(`(min-width: ${layoutSize.drawerBelow}px)`);
  const [collapsed, setCollapsed] = useStoredFlag('sidebarCollapsed', false);
  const [drawerPath, setDrawerPath] = useState<string | null>(null);
  const isDrawerOpen = !isWide && drawerPath === pathname;
  const isBare = useMatches().some(({ handle }) => (handle as PageHandle | undefined)?.isBare);
  const fallback = isBare ? null : <CardsSkeleton />;
  return (
    <Box sx={{ display: 'flex', flex: 1, minHeight: '100dvh' }}>
      <SkipLink />
      {isWide && !isBare && (
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
      <SidebarDrawer user={user} open={isDrawerOpen && !isBare} onClose={() => setDrawerPath(null)} />
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
        {isBare ? (
          user && <SearchShortcuts />
        ) : (
          <TopBar
            user={user}
            isWide={isWide}
            isDrawerOpen={isDrawerOpen}
            onOpenDrawer={() => setDrawerPath(pathname)}
          />
        )}
        <Box
          component="main"
          id="main"
          tabIndex={-1}
          sx={{ flex: 1, width: '100%', ...(!isBare && { px: { xs: 4, md: 8 }, py: { xs: 6, md: 8 } }) }}
        >
          {user && !isBare && <EmailDeliveryBanner user={user} />}
          {user?.isReader && !isBare && <IncompleteProfileNotices />}
          <Suspense fallback={fallback}>
            {user ? <PageUploadsProvider>{children}</PageUploadsProvider> : fallback}
          </Suspense>
        </Box>
      </Box>
      {user && <GlobalUploads />}
      {user && <UpgradeDialog />}
      {user && <UnsavedChangesDialog />}
      {user && <DownloadLinkHandler />}
      {user && <AccountChangedDialog user={user} />}
      {user && <ReauthenticationPrompt user={user} />}
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
