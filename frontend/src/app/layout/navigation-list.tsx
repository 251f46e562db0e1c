import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useFirstPage } from '../../shared/account/first-page';
import type { CurrentUser } from '../../shared/api/current-user';
import { toId, useZone } from '../../shared/api/use-zone';
import { isCurrent, navigationFor, type NavigationEntry } from './navigation';

/** The links of the sidebar; collapsed they are icons whose names appear beside them. */
export function NavigationList({ user, collapsed }: { user?: CurrentUser; collapsed: boolean }) {
  const { t } = useTranslation();
  const section = useSection();
  const page = useFirstPage();
  return (
    <Box component="nav" aria-label={t('nav.main')} sx={{ px: collapsed ? 2 : 3, py: 2 }}>
      <Box component="ul" sx={{ display: 'grid', gap: 1, m: 0, p: 0, listStyle: 'none' }}>
        {navigationFor(user, page).map((entry) => (
          <li key={entry.to}>
            <NavigationLink entry={entry} current={isCurrent(entry, section)} collapsed={collapsed} />
          </li>
        ))}
      </Box>
    </Box>
  );
}

/** The address by which the current entry is found: a zone of somebody else belongs to those shared with one. */
function useSection(): string {
  const { pathname } = useLocation();
  const { data: zone } = useZone(toId(/^\/zones\/([^/]+)/.exec(pathname)?.[1]));
  return zone?.isOwner === false ? '/shared-zones' : pathname;
}

interface LinkProps {
  entry: NavigationEntry;
  current: boolean;
  collapsed: boolean;
}

function NavigationLink({ entry, current, collapsed }: LinkProps) {
  const { t } = useTranslation();
  const name = t(entry.label);
  const label = entry.newTab ? `${name} (${t('nav.newTab')})` : name;
  const Icon = entry.icon;
  return (
    <Tooltip title={collapsed ? name : ''} placement="right">
      <ButtonBase
        component={Link}
        to={entry.to}
        target={entry.newTab ? '_blank' : undefined}
        aria-label={collapsed || entry.newTab ? label : undefined}
        aria-current={current ? 'page' : undefined}
        sx={{
          width: '100%',
          minHeight: 36,
          '@media (pointer: coarse)': { minHeight: 44 },
          justifyContent: collapsed ? 'center' : 'flex-start',
          gap: 3,
          px: collapsed ? 0 : 3,
          borderRadius: 1,
          typography: 'subtitle2',
          color: current ? 'primary.main' : 'text.primary',
          bgcolor: current ? 'tint.accent' : 'transparent',
          '&:hover': { bgcolor: current ? 'tint.accent' : 'hover' },
        }}
      >
        <Icon sx={{ color: current ? 'inherit' : 'text.secondary' }} />
        {!collapsed && name}
      </ButtonBase>
    </Tooltip>
  );
}
