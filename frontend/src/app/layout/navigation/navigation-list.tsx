import ExpandLessRounded from '@mui/icons-material/ExpandLessRounded';
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Divider from '@mui/material/Divider';
import Tooltip from '@mui/material/Tooltip';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useHomePreference } from '../../../shared/account/home-preference';
import type { CurrentUser } from '../../../shared/api/current-user';
import { parseId, useZone } from '../../../shared/api/use-zone';
import { useStoredFlag } from '../../../shared/hooks/use-stored-flag';
import { isActiveEntry, getNavigationGroups, type NavigationEntry, type NavigationGroupName } from './navigation';

/** Links of the sidebar; collapsed they are icons with tooltips. */
export function NavigationList({ user, collapsed }: { user?: CurrentUser; collapsed: boolean }) {
  const { t } = useTranslation();
  const currentPath = useCurrentPath();
  const preference = useHomePreference();
  return (
    <Box component="nav" aria-label={t('nav.main')} sx={{ px: collapsed ? 2 : 3, py: 2 }}>
      {getNavigationGroups(user, preference).map(({ name, entries }) => {
        const linkProps = { entries, currentPath, collapsed };
        if (name === 'administration') return <AdministrationGroup key={name} {...linkProps} />;
        return <LinkGroup key={name} name={name} {...linkProps} />;
      })}
    </Box>
  );
}

interface LinkGroupProps {
  entries: readonly NavigationEntry[];
  currentPath: string;
  collapsed: boolean;
}

/** Links below a heading; a divider replaces it when collapsed. */
function LinkGroup({ name, ...linkProps }: LinkGroupProps & { name: Exclude<NavigationGroupName, 'administration'> }) {
  const { t } = useTranslation();
  const headingId = useId();
  if (name === 'start') return <LinkList {...linkProps} />;
  const hasHeading = name !== 'rest';
  return (
    <>
      {(linkProps.collapsed || !hasHeading) && <Divider aria-hidden sx={{ my: 2 }} />}
      {hasHeading && (
        <Box
          id={headingId}
          className={linkProps.collapsed ? 'z-visually-hidden' : undefined}
          sx={{ ...headingStyles, mt: 3 }}
        >
          {t(`nav.groups.${name}`)}
        </Box>
      )}
      <LinkList {...linkProps} labelledBy={hasHeading ? headingId : undefined} />
    </>
  );
}

/** Links for administrators; closed until opened or until one of its pages is visited. */
function AdministrationGroup({ entries, currentPath, collapsed }: LinkGroupProps) {
  const { t } = useTranslation();
  const listId = useId();
  const isInside = entries.some((entry) => isActiveEntry(entry, currentPath));
  const [isStoredOpen, setIsStoredOpen] = useStoredFlag('administrationOpen', false);
  const [isClosedInside, setIsClosedInside] = useState(false);
  if (isClosedInside && !isInside) setIsClosedInside(false);
  const isOpen = isStoredOpen || (isInside && !isClosedInside);
  const toggle = () => {
    setIsStoredOpen(!isOpen);
    setIsClosedInside(isOpen && isInside);
  };
  const name = t('nav.groups.administration');
  const Arrow = isOpen ? ExpandLessRounded : ExpandMoreRounded;
  return (
    <>
      <Divider aria-hidden sx={{ my: 2 }} />
      <Tooltip title={collapsed ? name : ''} placement="right">
        <ButtonBase
          onClick={toggle}
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-label={collapsed ? name : undefined}
          sx={{
            ...headingStyles,
            width: '100%',
            minHeight: 36,
            '@media (pointer: coarse)': { minHeight: 44 },
            justifyContent: collapsed ? 'center' : 'space-between',
            borderRadius: 1,
            '&:hover': { bgcolor: 'hover' },
          }}
        >
          {!collapsed && name}
          <Arrow />
        </ButtonBase>
      </Tooltip>
      <Box id={listId} hidden={!isOpen}>
        <LinkList {...{ entries, currentPath, collapsed }} label={name} />
      </Box>
    </>
  );
}

const headingStyles = { px: 3, py: 1, typography: 'caption', fontWeight: 'fontWeightMedium', color: 'text.secondary' };

function LinkList({
  entries,
  currentPath,
  collapsed,
  ...labelProps
}: LinkGroupProps & { label?: string; labelledBy?: string }) {
  return (
    <Box
      component="ul"
      aria-label={labelProps.label}
      aria-labelledby={labelProps.labelledBy}
      sx={{ display: 'grid', gap: 1, m: 0, p: 0, listStyle: 'none' }}
    >
      {entries.map((entry) => (
        <li key={entry.to}>
          <NavigationLink entry={entry} isActive={isActiveEntry(entry, currentPath)} collapsed={collapsed} />
        </li>
      ))}
    </Box>
  );
}

/** The path that decides the current entry: other people's zones belong to "Shared with me". */
function useCurrentPath(): string {
  const { pathname } = useLocation();
  const { data: zone } = useZone(parseId(/^\/zones\/([^/]+)/.exec(pathname)?.[1]));
  return zone?.isOwner === false ? '/shared-zones' : pathname;
}

interface NavigationLinkProps {
  entry: NavigationEntry;
  isActive: boolean;
  collapsed: boolean;
}

function NavigationLink({ entry, isActive, collapsed }: NavigationLinkProps) {
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
        aria-current={isActive ? 'page' : undefined}
        sx={{
          width: '100%',
          minHeight: 36,
          '@media (pointer: coarse)': { minHeight: 44 },
          justifyContent: collapsed ? 'center' : 'flex-start',
          gap: 3,
          px: collapsed ? 0 : 3,
          borderRadius: 1,
          typography: 'subtitle2',
          color: isActive ? 'primary.main' : 'text.primary',
          bgcolor: isActive ? 'tint.accent' : 'transparent',
          '&:hover': { bgcolor: isActive ? 'tint.accent' : 'hover' },
        }}
      >
        <Icon sx={{ color: isActive ? 'inherit' : 'text.secondary' }} />
        {!collapsed && name}
      </ButtonBase>
    </Tooltip>
  );
}
